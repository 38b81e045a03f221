import { describe, expect, test } from '@jest/globals';
import { redactKeys, withoutKeys } from '../../src/http/redact-keys.ts';
import { generateSecret } from '../../src/base/key-format.ts';

const key = generateSecret();
const escaped = (text: string) => Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe('keys are removed from what is passed on, however they are spelled:', () => {
  test.each([
    ['plain', key],
    ['with an escaped underscore', key.replaceAll('_', '%5f')],
    ['with escapes in capitals', key.replaceAll('_', '%5F')],
    ['fully escaped', escaped(key)],
    ['fully escaped, in capitals', escaped(key).toUpperCase()],
    ['escaped after the beginning', `tg_live_${escaped(key.slice(8))}`],
  ])('%s', (_, spelled) => {
    expect(redactKeys(`?a=%41&key=${spelled}&b=%20`)).toBe('?a=%41&key=tg_live_redacted&b=%20');
  });
});

test('anything without a key is passed on unchanged', () => {
  for (const text of ['', '?a=1&b=%74g_liv', 'tg_live_', '%', '?%zz=%5f', 'TG_LIVE_abc'])
    expect(redactKeys(text)).toBe(text);
});

test('keys are removed from what is logged', () => {
  expect(withoutKeys(`/echo/${key}/x`)).toBe('/echo/tg_live_…/x');
});
