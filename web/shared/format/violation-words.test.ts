import { describe, expect, test } from '@jest/globals';
import { describeViolation } from './violation-words.ts';

const sentence = (rule: string, path: string) => {
  const { kind, place, words } = describeViolation(rule, path);
  return [kind, place, words].filter((part) => part !== '').join(' ');
};

describe('a rule that requests broke is described', () => {
  test.each([
    ['required', '/name', '/name is missing'],
    ['maximum', '/query/limit', 'query parameter limit is too large'],
    ['format', '/header/X-Trace', 'header X-Trace has the wrong format'],
    ['type', '/query/limit/unit', '/query/limit/unit has the wrong type'],
    ['required', '', 'the body is missing'],
    ['operation_removed', '', 'the operation no longer exists'],
    ['other', '', 'further rules'],
    ['constructor', '/name', '/name does not fit (constructor)'],
  ])('%s %s', (rule, path, words) => {
    expect(sentence(rule, path)).toBe(words);
  });
});
