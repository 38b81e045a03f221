import { SchemaSet } from '../../../src/openapi/validation/schema-set.ts';
import { prepareOperation } from '../../../src/openapi/validation/operation-validator.ts';
import type { BodyCheck, BodyFaultKind } from '../../../src/openapi/validation/validation.ts';

/** A request body designed to be slow to check. `npm run hostile-bodies` in `bench/` times each one. */
export interface HostileBody {
  readonly title: string;
  readonly schema: unknown;
  readonly text: string;
  /** The number of violations, or the reason why the body is not checked. Null if only the time matters. */
  readonly result: Result | null;
}

type Result = number | BodyFaultKind;

/** The default of `validation.maxBody`. */
const MAX_BODY = 256 * 1024;

export function prepareBodyCheck(schema: unknown): BodyCheck {
  const value = { content: { 'application/json': { schema } } };
  const operation = { parameters: [], body: { value, locate: () => '' } };
  const check = prepareOperation(operation, new SchemaSet(schema, false)).bodyCheck('application/json');
  if (check === null) throw new Error('the body is not checked');
  return check;
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
        { items: { $ref: '#/$defs/n' }, maxItems: 2, type: 'array' },
        { items: { $ref: '#/$defs/n' }, maxItems: 3, type: 'array' },
      ],
    },
  },
};
const nestedUnique = { $ref: '#/$defs/u', $defs: { u: { uniqueItems: true, items: { $ref: '#/$defs/u' } } } };
const alternatives = Array.from({ length: 200 }, (_, index) => ({
  properties: { t: { const: `t${index}` } },
  required: ['t'],
}));

const values: readonly (readonly [Result, string, unknown, string])[] = [
  ['too_complex', 'many numbers', { items: { type: 'integer' } }, fill('1')],
  [100, 'many long numbers', { items: { multipleOf: 0.01 } }, fill('1234567890.123456789')],
  ['too_complex', 'huge exponents', { items: { multipleOf: 7, maximum: 5, type: 'integer' } }, fill('1e999999999')],
  [100, 'numbers of 500 digits', { items: { multipleOf: 0.0007, maximum: 1e300 } }, fill('9'.repeat(500))],
  ['too_complex', 'many objects', { items: pet }, fill('{"a":1}')],
  ['too_complex', 'many empty objects', { items: { required: ['b'] } }, fill('{}')],
  [
    'too_complex',
    'many names',
    { propertyNames: { pattern: '^[a-z0-9]+$' }, additionalProperties: { type: 'integer' } },
    members(11_000),
  ],
  ['too_complex', 'more names than are read', anything, members(18_000)],
  [100, '10,000 violations', { items: { type: 'string' } }, list('1', 10_000)],
  [100, '10,000 violations within objects', { items: pet }, list('{"a":1}', 9_000)],
  [100, '10,000 unknown properties', { additionalProperties: false }, members(10_000)],
  [100, '10,000 alternatives that fail', { items: { anyOf: [{ type: 'string' }, { minimum: 5 }] } }, list('1', 10_000)],
  [0, '5,000 unique texts', { uniqueItems: true }, many(5000, (index) => `s${index}`)],
  ['too_complex', '5,000 unique objects', { uniqueItems: true }, many(5000, (index) => ({ a: index, b: [index] }))],
  [
    'too_complex',
    'unique lists within each other',
    nestedUnique,
    `${'['.repeat(95)}${fill('[]')}${']'.repeat(95)}`.slice(0, MAX_BODY),
  ],
  ['too_complex', 'alternatives that refer to themselves', nested, `${'['.repeat(60)}1${']'.repeat(60)}`],
  [
    'too_complex',
    '200 alternatives for each item',
    { items: { oneOf: alternatives } },
    many(1000, () => ({ t: 't199' })),
  ],
  ['too_complex', '128,000 levels', anything, '['.repeat(MAX_BODY)],
  [0, 'many escapes', anything, fill('"\\u0041\\n"')],
  ['duplicate_name', 'a duplicate after many names', anything, `${members(11_000).slice(0, -1)},"n0":1}`],
  ['too_complex', '20 MB of levels', anything, '['.repeat(20e6)],
  ['too_complex', '20 MB of numbers', anything, list('1', 10_000_000)],
  ['too_complex', '20 MB in one text', anything, JSON.stringify('x'.repeat(20e6))],
  [0, '1.2 MB in one text', anything, JSON.stringify('\n'.repeat(600_000))],
];

/** Each takes seconds or more in the engine of JavaScript. */
const patterns: readonly (readonly [Result, Result, string, string])[] = [
  [1, 0, '^(a+)+$', `${'a'.repeat(60_000)}!`],
  [1, 100, '(x+x+)+y', 'x'.repeat(60_000)],
  [1, 0, '^(\\w+\\s?)*$', `${'ab '.repeat(20_000)}!`],
  ['too_complex', 100, '^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60_000)],
  [1, 0, '(a|aa)+$', `${'a'.repeat(60_000)}!`],
  ['too_complex', 'too_complex', '[a-z]{1,500}X', 'abcdefgh'.repeat(8000)],
  ['too_complex', 'too_complex', '^.*a.{500}$', 'ab'.repeat(2000)],
  ['too_complex', 100, '(.*)(.*)(.*)(.*)[^a]$', 'a'.repeat(60_000)],
];

const FORMATS =
  'date-time date time duration email idn-email hostname ipv4 ipv6 uri uri-reference iri iri-reference uri-template uuid json-pointer relative-json-pointer regex byte';
const REPEATED = [
  '/a',
  '{a,',
  '%41',
  'a',
  ' ',
  '=\n',
  '(a*',
  'P1Y1',
  'a.',
  ':',
  '-',
  '1T',
  '"a',
  '{a}',
  '[a]',
  '(?:a|',
];

/** Creates one body at a time, because some are large. */
export function* createHostileBodies(): Generator<HostileBody> {
  for (const [result, title, schema, text] of values) yield { title, schema, text, result };
  for (const [result, shortResult, pattern, text] of patterns) {
    const title = `the pattern ${pattern}`;
    yield { title, schema: { type: 'string', pattern }, text: JSON.stringify(text), result };
    const short = Array.from({ length: 200 }, () => text.slice(0, 40));
    const schema = { items: { type: 'string', pattern } };
    yield { title: `${title}, 200 times`, schema, text: JSON.stringify(short), result: shortResult };
  }
  for (const format of FORMATS.split(' ')) {
    for (const part of REPEATED) {
      const text = JSON.stringify(part.repeat(Math.floor((MAX_BODY - 10) / part.length / 2)));
      const title = `the format ${format} of ${JSON.stringify(part)}`;
      yield { title, schema: { type: 'string', format }, text, result: null };
    }
  }
}
