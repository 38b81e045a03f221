import { expect, test } from '@jest/globals';
import { splitExplanation } from './explanation.ts';

const sentences = ['GET /pets was refused.', 'The minute was full.', 'It cost nothing.', 'What to do: wait.'];

test('the cause of a refusal comes first, then what to do', () => {
  const parts = { cause: 'The minute was full.', advice: 'wait.' };
  expect(splitExplanation(sentences, false)).toEqual({
    ...parts,
    rest: ['GET /pets was refused.', 'It cost nothing.'],
  });
});

test('the cause also comes first if the explanation is that of a similar request', () => {
  const { cause, advice, rest } = splitExplanation(['It was refused like this one.', ...sentences], true);
  expect([cause, advice]).toEqual(['The minute was full.', 'wait.']);
  expect(rest).toEqual(['It was refused like this one.', 'GET /pets was refused.', 'It cost nothing.']);
});
