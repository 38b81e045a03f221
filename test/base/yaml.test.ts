import { describe, expect, test } from '@jest/globals';
import { Faults } from '../../src/base/configuration-faults.ts';
import { parseYaml, type YamlFile } from '../../src/base/yaml.ts';

/**
 * The attack: a small document blocks the process. The YAML library takes quadratic time for keys and aliases, and
 * cubic time for keys that are maps. An alias of an ancestor creates a circular value.
 */

function parse(text: string): { file: YamlFile | null; faults: readonly string[] } {
  const faults = new Faults();
  return { file: parseYaml('a.yaml', text, faults), faults: faults.lines };
}

const parseValue = (text: string) => parse(text).file?.value;
const deep = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);
const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i));

describe('YAML is parsed into the right values', () => {
  test.each([
    [
      'scalars',
      'a: 1\nb: -1.5e3\nc: true\nd: null\ne: ~\nf: "1"\ng: 0x10\nh:',
      [1, -1500, true, null, null, '1', 16, null],
    ],
    ['lists and maps', 'a: [1, [2], { b: 3 }]', [[1, [2], { b: 3 }]]],
    ['JSON', '{"a": {"b": [1, "c"]}}', [{ b: [1, 'c'] }]],
    ['the content of an alias', 'a: &x { b: [1] }\nc: *x\nd: [*x]', [{ b: [1] }, { b: [1] }, [{ b: [1] }]]],
    ['an alias of the last anchor before it', 'a: &x 1\nb: &x [&x 2, *x]\nc: *x', [1, [2, 2], 2]],
  ])('with %s', (_, text, values) => {
    expect(Object.values(parseValue(text) as object)).toEqual(values);
  });

  test('with keys as text', () => {
    expect(parseValue('200: a\nnull: b\n1.0: c\n~: d\ntrue: e')).toEqual({
      200: 'a',
      null: 'b',
      '1.0': 'c',
      '~': 'd',
      true: 'e',
    });
  });

  test('with the names of methods as keys', () => {
    expect(Object.entries(parseValue('constructor: 1\ntoString: 2\nhasOwnProperty: 3') as object)).toEqual([
      ['constructor', 1],
      ['toString', 2],
      ['hasOwnProperty', 3],
    ]);
  });

  test('with null for an empty file', () => {
    expect(parse('')).toMatchObject({ file: { value: null }, faults: [] });
  });
});

test.each([
  [[], 1],
  [['a'], 1],
  [['b', 0], 3],
  [['b', 1, 'c'], 4],
  [['200', 'd'], 6],
  [['b', 9], 3],
  [['none', 'd'], 1],
  [['constructor'], 1],
])('the value at the path %j is on line %d', (path, line) => {
  const { file } = parse('a: 1\nb:\n  - 1\n  - c: 1\n200:\n  d: 1\n');
  expect(file?.locate(path)).toBe(`a.yaml:${line}`);
});

test.each([
  ['broken YAML', 'a: [', 'a.yaml:1: is not valid YAML'],
  ['a duplicate key', 'a: 1\nb:\n  c: 1\n  "c": 2', 'a.yaml:4: b is not valid YAML: the key c appears twice'],
  ['a key as a number and as text', '200: 1\n"200": 2', 'a.yaml:2: is not valid YAML: the key 200 appears twice'],
  ['__proto__', 'a:\n  __proto__: { b: 1 }', 'a.yaml:2: a has the key __proto__, which is not allowed'],
  ['__proto__ in quotes', '{ "a": { "__proto__": 1 } }', 'a.yaml:1: a has the key __proto__'],
  ['a circular alias', 'a: &a\n  b: [*a]', 'a.yaml:2: a.b[0] is *a, an alias inside its own anchor'],
  ['an alias without an anchor', 'a: *b\nb: &b 1', 'a.yaml:1: a is *b, an alias with no anchor before it'],
  ['a list as a key', '? [a, b]\n: 1', 'a.yaml:1: is not valid YAML: With stringKeys, all keys must be strings'],
  ['infinity', 'a:\n  - .inf', 'a.yaml:2: a[0] is not a value that JSON can represent'],
  ['a number that is too large', 'a: 1e999', 'a.yaml:1: a is not a value that JSON can represent'],
  ['an invalid number', 'a: .nan', 'a.yaml:1: a is not a value that JSON can represent'],
  ['a date', 'a: !!timestamp 2026-01-01', 'a.yaml:1: is not valid YAML: Unresolved tag: tag:yaml.org,2002:timestamp'],
  ['a set', 'a: !!set { b, c }', 'a.yaml:1: is not valid YAML: Unresolved tag: tag:yaml.org,2002:set'],
  ['an unknown tag', 'a: !Sub b', 'a.yaml:1: is not valid YAML: Unresolved tag: !Sub'],
  ['YAML 1.1', '%YAML 1.1\n---\na: yes', 'a.yaml:1: declares YAML 1.1, but is read as YAML 1.2'],
  ['many levels', `a: ${deep(201)}`, 'a.yaml:1: is nested more than 200 levels deep'],
  [
    'many levels by aliases',
    `a: &a ${deep(150)}\nb: ${deep(100, '*a')}`,
    'a.yaml:2: is nested more than 200 levels deep',
  ],
  [
    'a long text that aliases repeat',
    `a: &a ${'x'.repeat(1_000_000)}\nb:\n${'- *a\n'.repeat(20)}`,
    'a.yaml:13: b[10] is *a, but aliases may repeat at most',
  ],
  [
    'a long key that aliases repeat',
    `? &a ${'x'.repeat(1000)}\n: &b { ${'x'.repeat(1000)}: 1 }\nb:\n${'- *b\n'.repeat(10_100)}`,
    'a.yaml:10004: b[10000] is *b, but aliases may repeat at most',
  ],
  ['more levels than the stack allows', '['.repeat(20_000), 'a.yaml: is nested more than 200 levels deep'],
  ['keys inside keys', `${'? '.repeat(2000)}a`, 'a.yaml: is nested more than 200 levels deep'],
])('%s is reported as one error', (_, text, fault) => {
  const { file, faults } = parse(text);
  expect(file).toBeNull();
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

test('200 levels of nesting are accepted', () => {
  expect(parse(`a: ${deep(200)}`).faults).toEqual([]);
});

test('the number of values that nested aliases repeat is limited', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 20; i++) bomb.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(10)}]`);
  expect(parse(bomb.join('\n')).faults).toEqual([
    expect.stringMatching(
      /^a\.yaml:\d+: a\d\[\d\] is \*a\d, but aliases may repeat at most 100000 values and 10000000 characters$/,
    ),
  ]);
});

test('a long list of errors is truncated', () => {
  expect(parse(lines(100, (i) => `k${i}: .inf`).join('\n')).faults).toHaveLength(20);
  expect(parse(']'.repeat(100)).faults.length).toBeLessThanOrEqual(20);
});

// Each of these documents once blocked the gateway for more than 20 seconds.
test.each([
  ['keys', lines(20_000, (i) => `key${i}: 1`)],
  ['aliases', lines(15_000, (i) => `k${i}: &a${i} 1\nm${i}: *a${i}`)],
])('many %s are accepted', (_, text) => {
  expect(parse(text.join('\n')).faults).toEqual([]);
});
