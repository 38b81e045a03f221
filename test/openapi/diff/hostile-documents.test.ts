/**
 * Documents designed to be slow to compare or to confuse the comparison, which must end after a bounded number of
 * steps.
 */
import { expect, test } from '@jest/globals';
import { compareFields, listLines } from './compare.ts';

const sending = (schema: object) => ({
  '/pets': { put: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
});
const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('changes above the limit are left out, and the result reports it', () => {
  const paths = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/${index}`, { get: { responses: {} } }]));
  const { changes, incomplete } = compareFields({ paths }, { paths: {} }, { maxChanges: 5 });
  expect(changes).toHaveLength(5);
  expect(incomplete).toBe('there are more than 5 changes: compare versions that are closer to each other');
});

test('the comparison of schemas that multiply when combined ends at the limit', () => {
  // Each level doubles the ways in which the parts of a field can be combined.
  const schemas = (leaf: object) =>
    Object.fromEntries(
      ['a', 'b', 'c'].flatMap((name) =>
        Array.from({ length: 30 }, (_, level) => [
          `${name}${level}`,
          level === 29
            ? { type: 'object', properties: { leaf } }
            : {
                type: 'object',
                properties: {
                  x: { allOf: [refer(`a${level + 1}`), refer(`b${level + 1}`)] },
                  y: { allOf: [refer(`b${level + 1}`), refer(`c${level + 1}`)] },
                },
              },
        ]),
      ),
    );
  const paths = sending(refer('a0'));
  const { changes, incomplete } = compareFields(
    { paths, components: { schemas: schemas({ type: 'string' }) } },
    { paths, components: { schemas: schemas({ type: 'integer' }) } },
    { maxWork: 2000 },
  );
  expect(incomplete).toBe('the documents have too many schemas to compare all of them');
  expect(changes.length).toBeLessThan(2000);
});

test('a long chain of schemas is compared to its end', () => {
  const length = 1000;
  const schemas = (last: object) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `s${index}`,
        index === length - 1 ? last : { type: 'object', properties: { next: refer(`s${index + 1}`) } },
      ]),
    );
  const paths = sending(refer('s0'));
  const comparison = compareFields(
    { paths, components: { schemas: schemas({ type: 'string' }) } },
    { paths, components: { schemas: schemas({ type: 'integer' }) } },
  );
  const [line = ''] = listLines(comparison);
  expect(line).toMatch(/^breaking: PUT \/pets: The field …[next.]+ of the request body must now be a whole number/);
  expect(line.length).toBeLessThan(250);
});

test('500 alternatives of a schema are compared', () => {
  const alternatives = (type: string) => ({
    oneOf: Array.from({ length: 500 }, (_, index) => ({
      type: 'object',
      properties: { kind: { const: `k${index}` }, [`field${index}`]: { type } },
    })),
  });
  const { changes } = compareFields(
    { paths: sending(alternatives('string')) },
    { paths: sending(alternatives('integer')) },
  );
  expect(changes).toHaveLength(500);
});

test('fields named like methods or with control characters are compared like any others', () => {
  const text = { type: 'string' };
  const before = { type: 'object', properties: { constructor: text, 'a\u001B[31m': text } };
  const after = { type: 'object', properties: {} };
  const lines = listLines(compareFields({ paths: sending(before) }, { paths: sending(after) }));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('warning: PUT /pets: The field constructor of the request body was removed');
  expect(lines[1]).not.toContain('\u001B');
});
