import { describe, expect, test } from '@jest/globals';
import { redactKeys, replaceKeys } from '../../src/http/redact-keys.ts';
import { generateSecret } from '../../src/domain/key-format.ts';

const key = generateSecret();
const escaped = (text: string) => Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe('keys in a query are redacted, however they are encoded:', () => {
  test.each([
    ['plain', key],
    ['with an escaped underscore', key.replaceAll('_', '%5f')],
    ['with escapes in capitals', key.replaceAll('_', '%5F')],
    ['fully escaped', escaped(key)],
    ['fully escaped, in capitals', escaped(key).toUpperCase()],
    ['escaped after the beginning', `tg_live_${escaped(key.slice(8))}`],
  ])('%s', (_, encoded) => {
    expect(redactKeys(`?a=%41&key=${encoded}&b=%20`)).toBe('?a=%41&key=tg_live_redacted&b=%20');
  });
});

test('text without a key is unchanged', () => {
  for (const text of ['', '?a=1&b=%74g_liv', 'tg_live_', '%', '?%zz=%5f', 'TG_LIVE_abc'])
    expect(redactKeys(text)).toBe(text);
});

test('keys are redacted in the log', () => {
  expect(replaceKeys(`/echo/${key}/x`)).toBe('/echo/tg_live_…/x');
});
