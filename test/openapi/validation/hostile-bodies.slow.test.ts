/**
 * Bodies that are made to take long. A check cannot be interrupted, so each must end within 10 ms, or the body must be
 * refused within that time. CPU time is measured, because other processes run beside the test.
 */
import { expect, test } from '@jest/globals';
import { SchemaSet } from '../../../src/openapi/validation/schema-set.ts';
import { prepareOperation } from '../../../src/openapi/validation/operation-validator.ts';
import type { BodyCheck } from '../../../src/openapi/validation/validation.ts';

const MAX_MS = 10;
/** The default of `validation.maxBody`. */
const MAX_BODY = 256 * 1024;

function prepare(schema: unknown): BodyCheck {
  const value = { content: { 'application/json': { schema } } };
  const operation = { pointer: '', parameters: [], body: { value, pointer: '' } };
  const check = prepareOperation(operation, new SchemaSet(schema, false)).bodyCheck('application/json');
  if (check === null) throw new Error('the body is not checked');
  return check;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The usual time of a check, after the code has become warm. */
function medianMs(check: BodyCheck, body: Buffer): number {
  const times = Array.from({ length: 15 }, () => {
    const start = cpuMs();
    check(body);
    return cpuMs() - start;
  });
  return times.sort((one, other) => one - other)[7] ?? 0;
}

const list = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`;
const many = (length: number, one: (index: number) => unknown) =>
  JSON.stringify(Array.from({ length }, (_, index) => one(index)));
const fill = (item: string) => list(item, Math.floor(MAX_BODY / (item.length + 1)));
const members = (length: number) => `{${Array.from({ length }, (_, index) => `"n${index}":1`).join(',')}}`;

const anything = { type: ['array', 'object', 'string'] };
const pet = { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] };
const nested = {
  $ref: '#/$defs/n',
  $defs: {
    n: {
      anyOf: [
        { items: { $ref: '#/$defs/n' }, minItems: 2, type: 'array' },
        { items: { $ref: '#/$defs/n' }, minItems: 3, type: 'array' },
      ],
    },
  },
};
const nestedUnique = { $ref: '#/$defs/u', $defs: { u: { uniqueItems: true, items: { $ref: '#/$defs/u' } } } };
const alternatives = Array.from({ length: 200 }, (_, index) => ({
  properties: { t: { const: `t${index}` } },
  required: ['t'],
}));

test.each<readonly [string, unknown, string]>([
  ['many numbers', { items: { type: 'integer' } }, fill('1')],
  ['many long numbers', { items: { multipleOf: 0.01 } }, fill('1234567890.123456789')],
  ['huge exponents', { items: { multipleOf: 7, maximum: 5, type: 'integer' } }, fill('1e999999999')],
  ['numbers of 500 digits', { items: { multipleOf: 0.0007, maximum: 1e300 } }, fill('9'.repeat(500))],
  ['many objects', { items: pet }, fill('{"a":1}')],
  ['many empty objects', { items: { required: ['b'] } }, fill('{}')],
  [
    'many names',
    { propertyNames: { pattern: '^[a-z0-9]+$' }, additionalProperties: { type: 'integer' } },
    members(11_000),
  ],
  ['more names than are read', anything, members(18_000)],
  ['10,000 violations', { items: { type: 'string' } }, list('1', 10_000)],
  ['10,000 violations within objects', { items: pet }, list('{"a":1}', 9_000)],
  ['10,000 unknown properties', { additionalProperties: false }, members(10_000)],
  ['10,000 alternatives that fail', { items: { anyOf: [{ type: 'string' }, { minimum: 5 }] } }, list('1', 10_000)],
  ['5,000 unique texts', { uniqueItems: true }, many(5000, (index) => `s${index}`)],
  ['5,000 unique objects', { uniqueItems: true }, many(5000, (index) => ({ a: index, b: [index] }))],
  [
    'unique lists within each other',
    nestedUnique,
    `${'['.repeat(95)}${fill('[]')}${']'.repeat(95)}`.slice(0, MAX_BODY),
  ],
  ['alternatives that refer to themselves', nested, `${'[[],'.repeat(60)}[]${']'.repeat(60)}`],
  ['200 alternatives for each item', { items: { oneOf: alternatives } }, many(1000, () => ({ t: 't199' }))],
  ['128,000 levels', anything, '['.repeat(MAX_BODY)],
  ['many escapes', anything, fill('"\\u0041\\n"')],
  ['a duplicate after many names', anything, `${members(11_000).slice(0, -1)},"n0":1}`],
  ['20 MB of levels', anything, '['.repeat(20e6)],
  ['20 MB of numbers', anything, list('1', 10_000_000)],
  ['20 MB in one text', anything, JSON.stringify('x'.repeat(20e6))],
  ['1.9 MB in one text', anything, JSON.stringify('\n'.repeat(900_000))],
])('%s', (_title, schema, text) => {
  expect(medianMs(prepare(schema), Buffer.from(text))).toBeLessThan(MAX_MS);
});

/** Each takes seconds or more in the engine of JavaScript. */
test.each([
  ['^(a+)+$', `${'a'.repeat(60_000)}!`],
  ['(x+x+)+y', 'x'.repeat(60_000)],
  ['^(\\w+\\s?)*$', `${'ab '.repeat(20_000)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60_000)],
  ['(a|aa)+$', `${'a'.repeat(60_000)}!`],
  ['[a-z]{1,500}X', 'abcdefgh'.repeat(8000)],
  ['^.*a.{500}$', 'ab'.repeat(2000)],
  ['(.*)(.*)(.*)(.*)[^a]$', 'a'.repeat(60_000)],
])('the pattern %s', (pattern, text) => {
  expect(medianMs(prepare({ type: 'string', pattern }), Buffer.from(JSON.stringify(text)))).toBeLessThan(MAX_MS);
  const short = JSON.stringify(Array.from({ length: 200 }, () => text.slice(0, 40)));
  expect(medianMs(prepare({ items: { type: 'string', pattern } }), Buffer.from(short))).toBeLessThan(MAX_MS);
});

const FORMATS =
  'date-time date time duration email idn-email hostname ipv4 ipv6 uri uri-reference iri iri-reference uri-template uuid json-pointer relative-json-pointer regex byte';

test.each(FORMATS.split(' '))('the format %s', (format) => {
  const check = prepare({ type: 'string', format });
  const parts = ['/a', '{a,', '%41', 'a', ' ', '=\n', '(a*', 'P1Y1', 'a.', ':', '-', '1T', '"a', '{a}', '[a]', '(?:a|'];
  const slow: string[] = [];
  for (const part of parts) {
    const text = part.repeat(Math.floor((MAX_BODY - 10) / part.length / 2));
    if (medianMs(check, Buffer.from(JSON.stringify(text))) >= MAX_MS) slow.push(part);
  }
  expect(slow).toEqual([]);
});
