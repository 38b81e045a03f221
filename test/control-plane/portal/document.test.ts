import { expect, test } from '@jest/globals';
import { DOCUMENT_FILE as ADMIN_DOCUMENT } from '../../../src/control-plane/admin/resources/admin-document.ts';
import { DOCUMENT_FILE } from '../../../src/control-plane/portal/portal-document.ts';
import { readParts } from '../../../src/control-plane/api-server/api-document.ts';
import { lintDocument } from '../../support/openapi-linter.ts';

test('the OpenAPI document of the portal is valid', async () => {
  expect(await lintDocument(readParts(DOCUMENT_FILE).value)).toEqual([]);
});

// Many tools compile patterns without the flag `u`. In such a pattern, `\\P{Cc}` means the letter P followed by other
// text, so these tools once rejected all names.
test.each([DOCUMENT_FILE, ADMIN_DOCUMENT])(
  'the patterns in %s match the same texts with and without the flag u',
  (file) => {
    const patterns = patternsIn(readParts(file).value);
    expect(patterns.length).toBeGreaterThan(5);
    const texts = ['', 'plain text', 'a\u0000b', 'tab\there', '\u0085', 'Ä ö', 'P{Cc}', 'a/b?c=d', 'acme', '😀', ' '];
    for (const pattern of patterns) {
      for (const text of texts) {
        const plain = new RegExp(pattern).test(text);
        expect(`${pattern} ${text}: ${plain}`).toBe(`${pattern} ${text}: ${new RegExp(pattern, 'u').test(text)}`);
      }
    }
  },
);

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    key === 'pattern' && typeof entry === 'string' ? [entry] : patternsIn(entry),
  );
}
