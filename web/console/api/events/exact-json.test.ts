import { expect, test } from '@jest/globals';
import { parseExact } from './exact-json.ts';

test.each(['{"id":12345678901234567890,"price":1.10,"much":1e400}', '[1,"1.0",null,{"a":[true]}]'])(
  '%s is shown as it was written',
  (text) => {
    expect(JSON.stringify(parseExact(text))).toBe(text);
  },
);

test('numbers that can be represented exactly stay numbers', () => {
  expect(parseExact('{"used":800}')).toEqual({ used: 800 });
});
