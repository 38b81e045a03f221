import { describe, expect, test } from '@jest/globals';
import { Faults } from '../../src/base/configuration-faults.ts';
import { readJson } from '../../src/base/json-file.ts';
import { parseYaml } from '../../src/base/yaml.ts';

/** Large documents are JSON. Parsing 13 MB of it as YAML took 13 seconds. */

const DEPTH = 200;
const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

test('reading JSON text gives the same value as JSON.parse', () => {
  const value = { a: [1, -1.5e3, true, null, { 'b:"\\': '}]:,"' }], '': {}, c: [], ' é\u2028': '\\' };
  for (const indent of [0, 1, 4]) expect(readJson(JSON.stringify(value, null, indent), DEPTH)?.value).toEqual(value);
});

const text = `{
  "a": 1, "b": [
    [ ],
    { "c\\"}": "\\\\", "d": { "e": "x:{[" } },
    3
  ],
  "f/g": { }
}`;

test.each([
  [[], 1],
  [['a'], 2],
  [['b'], 2],
  [['b', 0], 3],
  [['b', 1], 4],
  [['b', 1, 'd', 'e'], 4],
  [['b', 2], 5],
  [['f/g'], 7],
  // A missing value has the line of its nearest existing ancestor.
  [['b', 3], 2],
  [['b', 1, 'd', 'e', 'x'], 4],
  [['nothing', 'at', 'all'], 1],
] as const)('the value at the path %j is on line %d, as in the same text parsed as YAML', (path, line) => {
  expect(readJson(text, DEPTH)?.findLine(path)).toBe(line);
  // The appended comment makes the text YAML.
  expect(parseYaml('a', `${text} # YAML`, new Faults())?.locate(path)).toBe(`a:${line}`);
  expect(parseYaml('a', text, new Faults())?.locate(path)).toBe(`a:${line}`);
});

describe('the JSON reader leaves to the YAML parser', () => {
  test.each([
    ['a duplicate key', '{"a": 1, "b": {"c": 1, "\\u0063": 2}}', 'is not valid YAML: the key c appears twice'],
    ['__proto__', '{"a": {"__proto__": 1}}', 'has the key __proto__, which is not allowed'],
    ['a number that is too large', '{"a": 1e999}', 'is not a value that JSON can represent'],
    ['deep nesting', nested(201), 'is nested more than 200 levels deep'],
    ['something that is not JSON', '{"a": 1,\n "b" 2 3}', 'is not valid YAML'],
  ])('%s', (_, json, what) => {
    expect(readJson(json, DEPTH)).toBeNull();
    const faults = new Faults();
    parseYaml('a', json, faults);
    expect(faults.lines.join('\n')).toContain(what);
  });

  test.each([
    ['YAML', 'a: 1'],
    ['a flow map', '{a: 1}'],
    ['nothing', ''],
  ])('%s', (_, yaml) => {
    expect(readJson(yaml, DEPTH)).toBeNull();
  });
});

test('a document with the maximum depth is accepted', () => {
  expect(readJson(nested(200), DEPTH)).not.toBeNull();
});
