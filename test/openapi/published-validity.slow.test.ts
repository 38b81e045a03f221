/**
 * The published document said that it was OpenAPI 3.1, but had the schemas of 3.0, members of path items that 3.1 does not
 * have, and references that led to nothing. Generators of clients refused it, or lost `null`.
 */
import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Faults } from '../../src/base/configuration-faults.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { readEndpointsDocument } from '../../src/control-plane/gateway-endpoints/endpoint-handlers.ts';
import { parseSteps, valueAt } from '../../src/openapi/pointer.ts';
import { publicDocument } from '../../src/openapi/public-document.ts';
import { NO_DOCUMENT, readUpstreamDocument } from '../../src/openapi/upstream-document.ts';
import { root } from '../support/gateway/gateway.ts';

function publish(...values: readonly JsonObject[]): Promise<JsonObject> {
  const sources = values.map((value, at) => ({
    name: `s${at}`,
    prefix: `/v${at}`,
    idPrefix: `s${at}.`,
    document: { ...NO_DOCUMENT, value },
  }));
  return publicDocument(sources, readEndpointsDocument());
}

/** @returns the number of places for each fault, by its message */
async function faultsIn(document: JsonObject): Promise<Record<string, number>> {
  const { errors = [] } = await new Validator().validate(structuredClone(document));
  // Each fault also makes every condition around it fail.
  const reported = typeof errors === 'string' ? [errors] : errors.map(({ message = '' }) => message);
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  const findings = await lintFromString({ source: JSON.stringify(document), config });
  const all = [...reported.filter((one) => !IS_CONSEQUENCE.test(one)), ...findings.map(({ message }) => message)];
  const counts: Record<string, number> = {};
  for (const message of all) counts[message] = (counts[message] ?? 0) + 1;
  return counts;
}

const IS_CONSEQUENCE = /"(?:then|else)" schema|anyOf|oneOf/;

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/** The references of a document that lead to nothing. */
function danglingIn(document: JsonObject): string[] {
  const dangling = new Set<string>();
  function visit(node: unknown, isNames: boolean): void {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      const isReference = !isNames && (key === '$ref' || key === 'operationRef') && typeof child === 'string';
      if (isReference && valueAt(document, parseSteps(child)) === undefined) dangling.add(child);
      else if (isNames || !DATA.has(key)) visit(child, key === 'properties' && !isNames);
    }
  }
  visit(document, false);
  return [...dangling];
}

const examples = join(root, 'node_modules/@readme/oas-examples');
const names = ['2.0', '3.0', '3.1'].flatMap((version) =>
  readdirSync(join(examples, version, 'json'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(version, 'json', name)),
);
/** Reads an example as the gateway does, which includes converting Swagger 2.0. */
function readExample(name: string): JsonObject {
  // Faults are ignored, because some examples have paths that the gateway refuses.
  const { value } = readUpstreamDocument(join(examples, name), {}, new Faults());
  expect(value['openapi']).toMatch(/^3\./);
  return value;
}

/** The vendors' own mistakes, which remain in the published document. */
const EXAMPLE_FAULTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Redocly takes a name with a space in a discriminator's mapping for a file.
  '3.0/json/discriminators.json': { "Can't resolve $ref": 2 },
  // Redocly knows this extension, which the document uses differently.
  '3.0/json/readme-extensions.json': {
    'Property `code` is not expected here.': 2,
    'Property `install` is not expected here.': 1,
    'Property `language` is not expected here.': 2,
    'Property `name` is not expected here.': 1,
  },
  '3.1/json/readme-extensions.json': {
    'Property `code` is not expected here.': 2,
    'Property `language` is not expected here.': 2,
    'Property `name` is not expected here.': 1,
  },
  // These documents declare version 3.1, but use fields of 3.0.
  '3.1/json/readme.json': { 'Property `nullable` is not expected here.': 498 },
  '3.1/json/schema-types.json': { 'Property `nullable` is not expected here.': 3 },
  '3.1/json/schema-validation-local.json': { 'Expected type `number` but got `boolean`.': 10 },
  '3.1/json/schema-validation-top-level.json': { 'Expected type `number` but got `boolean`.': 2 },
};

test.each(names)('the published document of %s is valid, for one service and for two', async (name) => {
  const value = readExample(name);
  const [one, two] = [await publish(value), await publish(value, value)];
  expect(await faultsIn(one)).toEqual(EXAMPLE_FAULTS[name] ?? {});
  if (!(name in EXAMPLE_FAULTS)) expect(await faultsIn(two)).toEqual({});
  expect([...danglingIn(one), ...danglingIn(two)]).toEqual([]);
});

/** Large documents of vendors, which are beside the repository on some machines. */
const corpus = ['../shared/corpus/documents', '../../shared/corpus/documents']
  .map((folder) => join(root, folder))
  .find((folder) => existsSync(folder));

const VENDORS: readonly {
  readonly file: string;
  readonly faults: Record<string, number>;
  readonly dangling: string[];
}[] = [
  {
    file: 'box/openapi.json',
    // An `$id` in the data of an example, which the validator takes for one of a schema.
    faults: {
      "$id : '01234500-12f1-1234-aa12-b1d234cb567e' defined more than once at #/components/schemas/File--Full/allOf/1/properties/metadata/allOf/0/examples/0/enterprise_27335/marketingCollateral": 1,
    },
    dangling: [],
  },
  { file: 'elastic/serverless.json', faults: {}, dangling: [] },
  {
    file: 'openai/openapi.yaml',
    // The document declares version 3.1, but uses fields of 3.0, of an earlier JSON Schema, and misspelled ones.
    faults: {
      'Expected type `number` but got `boolean`.': 7,
      'Property `$recursiveAnchor` is not expected here.': 2,
      'Property `$recursiveRef` is not expected here.': 2,
      'Property `max_items` is not expected here.': 1,
      'Property `min_items` is not expected here.': 1,
      'Property `nullable` is not expected here.': 108,
      'Property `optional` is not expected here.': 1,
    },
    dangling: [],
  },
  {
    file: 'square/api.json',
    // The document has a requirement without a list of scopes, and references to a schema that does not exist.
    faults: { "Can't resolve $ref": 5, 'Expected type `array` but got `null`.': 1, 'must be array': 1 },
    dangling: ['#/components/schemas/CatalogModifierToggleOverrideType'],
  },
  { file: 'xeroapi/xero-payroll-nz.yaml', faults: {}, dangling: [] },
  { file: 'xeroapi/xero_accounting.yaml', faults: {}, dangling: [] },
];

(corpus === undefined ? describe.skip : describe)('the document of a vendor', () => {
  test.each(VENDORS)('the published form of $file is valid', async ({ file, faults, dangling }) => {
    const value = parse(readFileSync(join(corpus ?? '', file), 'utf8')) as JsonObject;
    const document = await publish(value, { openapi: '3.1.0', info: { title: 'Other', version: '1' }, paths: {} });
    expect(await faultsIn(document)).toEqual(faults);
    expect(danglingIn(document)).toEqual(dangling);
  });
});
