/**
 * Runs the test suite of JSON Schema. Draft 2020-12 becomes schemas of OpenAPI 3.1, and draft 4 becomes schemas of
 * OpenAPI 3.0.
 */
import { expect } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkValue } from '../../../src/openapi/validation/operation-validator.ts';
import { readJsonText } from '../../../src/openapi/validation/read-json.ts';
import { SchemaFaults } from '../../../src/openapi/validation/schema-faults.ts';
import { SchemaSet } from '../../../src/openapi/validation/schema-set.ts';
import { corpus, testWithCorpus } from '../../support/corpus.ts';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** Constructs that are refused when a document is loaded, with the message of the refusal. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'a reference to another document, or to an $id or $anchor':
    /only references such as #\/components\/schemas\/NAME are supported$/,
  'an $id, which changes the meaning of references':
    /^is not supported, because it changes the meaning of references: remove it$/,
  'a reference whose target depends on the way to it': /^is not supported: use \$ref$/,
  'another dialect': /^is not supported: only JSON Schema 2020-12 is$/,
};

/** Files whose tests expect the gateway to accept something that it refuses, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'draft2020-12/format.json': 'The suite tests that formats are not checked. The gateway checks them, as DESIGN says.',
};

interface Result {
  passed: number;
  readonly refused: string[];
  readonly failed: string[];
}

async function runFolder(folder: string, is30: boolean): Promise<Result> {
  const result: Result = { passed: 0, refused: [], failed: [] };
  for (const file of readdirSync(join(corpus, 'json-schema-suite/tests', folder))) {
    if (!file.endsWith('.json') || `${folder}/${file}` in EXCEPTIONS) continue;
    const text = readFileSync(join(corpus, 'json-schema-suite/tests', folder, file), 'utf8');
    const schemas = (JSON.parse(text) as Group[]).map(({ schema }) => schema);
    for (const [index, { description, tests }] of (parseExact(text) as Group[]).entries()) {
      const schema = schemas[index];
      const set = new SchemaSet(schema, is30);
      const faults = new SchemaFaults(set);
      await faults.read([{ schema, locate: () => '' }]);
      const fault = faults.faultAt(schema);
      if (fault !== null) {
        const reason = Object.entries(REFUSED).find(([, message]) => message.test(fault.reason));
        if (reason === undefined) result.failed.push(`${file}: ${description}: ${fault.pointer} ${fault.reason}`);
        else result.refused.push(reason[0]);
        continue;
      }
      for (const { description: each, data, valid } of tests) {
        const isValid = checkValue(readJsonText(JSON.stringify(data)), set.node(schema)).length === 0;
        if (isValid === valid) result.passed++;
        else result.failed.push(`${file}: ${description}: ${each}`);
      }
    }
  }
  return result;
}

/** Parses JSON, and keeps the spelling of numbers, which `JSON.parse` would round. */
function parseExact(text: string): unknown {
  const json = JSON as unknown as {
    parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  };
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== String(value) ? json.rawJSON(source) : value,
  );
}

testWithCorpus('every required test of draft 2020-12 passes, or its schema is refused', async () => {
  const { passed, refused, failed } = await runFolder('draft2020-12', false);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThanOrEqual(1020);
  expect(new Set(refused)).toEqual(new Set(Object.keys(REFUSED)));
});

testWithCorpus('every required test of draft 4 passes, or its schema is refused', async () => {
  const { passed, refused, failed } = await runFolder('draft4', true);
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThanOrEqual(580);
  expect(new Set(refused)).toEqual(new Set(['a reference to another document, or to an $id or $anchor']));
});

testWithCorpus('the optional tests of numbers and regular expressions pass', async () => {
  const { failed } = await runFolder('draft2020-12/optional', false);
  // `dependencies` belongs to earlier drafts. In 2020-12, it is no keyword, so it may be ignored.
  expect(failed.filter((one) => !one.startsWith('dependencies-compatibility.json'))).toEqual([]);
});

testWithCorpus('the optional tests of formats pass, but for international host names', async () => {
  const { failed, passed } = await runFolder('draft2020-12/optional/format', false);
  // `idn-hostname` is not checked, and Punycode in a host name is not decoded, because both need tables of Unicode.
  const others = failed.filter((one) => !/^(?:idn-)?hostname\.json/.test(one));
  expect(others).toEqual(['uri-template.json: format: uri-template: a double dot in a variable name is invalid']);
  expect(passed).toBeGreaterThan(650);
});
