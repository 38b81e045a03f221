/**
 * The attack: a parameter for a lookup contains control characters. PostgreSQL does not accept NUL in a text, so
 * gateways with PostgreSQL returned 500 unless the parameter restricted its text.
 */
import { expect, test } from '@jest/globals';
import { readParts } from '../../../src/control-plane/api-server/api-document.ts';
import { isObject } from '../../../src/base/json.ts';
import { DOCUMENT_FILE as ADMIN } from '../../../src/control-plane/admin/resources/admin-document.ts';
import { DOCUMENT_FILE as PORTAL } from '../../../src/control-plane/portal/portal-document.ts';

/** Parameters that need no restriction, because the gateway only compares them with its own strings. */
const COMPARED = ['cursor', 'If-Match'];

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly type?: string; readonly [keyword: string]: unknown };
}

function parametersIn(node: unknown): Parameter[] {
  if (Array.isArray(node)) return node.flatMap(parametersIn);
  if (!isObject(node)) return [];
  if (typeof node['in'] === 'string' && isObject(node['schema'])) return [node as unknown as Parameter];
  return Object.values(node).flatMap(parametersIn);
}

test.each([
  ['admin API', ADMIN],
  ['portal', PORTAL],
])('every text parameter of the %s restricts its characters', (_, file) => {
  const { value } = readParts(file);
  const { schemas } = value['components'] as { readonly schemas: Record<string, Parameter['schema']> };
  const parameters = parametersIn(value);
  expect(parameters.length).toBeGreaterThan(10);
  const lax = parameters.filter(({ name, schema }) => {
    const rules = { ...schema, ...schemas[String(schema['$ref']).split('/').at(-1) ?? ''] };
    const isAnyText = !['pattern', 'enum', 'const', 'format'].some((keyword) => keyword in rules);
    return rules.type === 'string' && isAnyText && !COMPARED.includes(name);
  });
  expect(lax.map(({ name }) => name)).toEqual([]);
});
