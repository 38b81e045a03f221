import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Faults } from '../../src/base/configuration-faults.ts';
import { parseYaml, type YamlFile } from '../../src/base/yaml.ts';
import { applyOverlays, readOverlay } from '../../src/openapi/overlay.ts';
import { queryFor, suggestOverlay } from '../../src/openapi/suggested-overlay.ts';
import { corpus, testWithCorpus } from '../support/corpus.ts';

/** Applies overlays to a document. All of them are given as text. */
function apply(document: string, ...overlays: string[]) {
  const faults = new Faults();
  const warnings: string[] = [];
  const yaml = parseYaml('api.yaml', document, faults);
  const texts = overlays.map((text, index) => ({ file: `overlay${index}.yaml`, text }));
  const result: YamlFile | null = yaml && applyOverlays(yaml, texts, faults, warnings);
  return { result, value: result?.value, faults: faults.lines, warnings };
}

const HEAD = (version: string) => `overlay: ${version}\ninfo: { title: T, version: '1' }\nactions:\n`;
const overlay = (actions: string, version = '1.0.0') => HEAD(version) + actions;

testWithCorpus('the compliance sets of the specification have their results', () => {
  const sets = join(corpus, 'overlay/compliant-sets');
  const names = readdirSync(sets, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const [document, its, output] = ['openapi', 'overlay', 'output'].map((file) =>
      readFileSync(join(sets, name, `${file}.yaml`), 'utf8'),
    );
    const { value, faults } = apply(document ?? '', its ?? '');
    expect({ name, value, faults }).toEqual({ name, value: parse(output ?? ''), faults: [] });
  }
});

testWithCorpus(
  'valid overlays of the specification are accepted, and invalid ones are refused with file and line',
  () => {
    for (const version of ['v1.0', 'v1.1']) {
      for (const expected of ['pass', 'fail']) {
        const folder = join(corpus, 'overlay/tests', version, expected);
        for (const name of readdirSync(folder)) {
          const faults = new Faults();
          const read = readOverlay(name, readFileSync(join(folder, name), 'utf8'), faults);
          const isAccepted = read !== null;
          expect({ version, name, isAccepted, faults: faults.lines }).toMatchObject(
            expected === 'pass' ? { isAccepted: true, faults: [] } : { isAccepted: false },
          );
          if (!isAccepted) expect(faults.lines[0]).toMatch(new RegExp(`^${name}:\\d+: `));
        }
      }
    }
  },
);

test('overlays are applied in order, and a target that matches nothing is reported with file and line', () => {
  const { value, warnings, faults } = apply(
    'a: { b: 1 }\n',
    overlay('  - { target: $.a, update: { b: 2, c: [x] } }\n'),
    overlay('  - { target: $.a, update: { c: [y] } }\n  - { target: $.nothing, remove: true }\n'),
  );
  expect([value, faults]).toEqual([{ a: { b: 2, c: ['x', 'y'] } }, []]);
  expect(warnings).toEqual(['overlay1.yaml:5: the target $.nothing matches nothing: correct or remove the action']);
});

test('a value of the document keeps its line, and a value of an overlay has its line in the overlay', () => {
  const { result } = apply(
    'a:\n  b: 1\n  list:\n    - { x: 1 }\n    - { x: 2 }\n',
    overlay(
      '  - target: $.a\n    update:\n      b: 2\n      c:\n        d: 3\n  - { target: "$.a.list[0]", remove: true }\n',
    ),
  );
  expect(result?.value).toEqual({ a: { b: 2, list: [{ x: 2 }], c: { d: 3 } } });
  expect(result?.locate(['a'])).toBe('api.yaml:2');
  expect(result?.locate(['a', 'b'])).toBe('overlay0.yaml:6');
  expect(result?.locate(['a', 'c', 'd'])).toBe('overlay0.yaml:8');
  expect(result?.locate(['a', 'list', 0, 'x'])).toBe('api.yaml:5');
});

test('a change at an alias of YAML does not change its anchor', () => {
  expect(apply('a: &x { n: 1 }\nb: *x\n', overlay('  - { target: $.b, update: { n: 2 } }\n')).value).toEqual({
    a: { n: 1 },
    b: { n: 2 },
  });
});

test('version 1.1 copies, concatenates lists and replaces single values', () => {
  const actions = [
    '  - { target: $.b, copy: $.a, update: { own: true } }',
    '  - { target: $.list, update: [2, 3] }',
    '  - { target: $.a.n, update: 9 }',
  ];
  const { value } = apply('a: { n: 1 }\nb: {}\nlist: [1]\n', overlay(`${actions.join('\n')}\n`, '1.1.0'));
  expect(value).toEqual({ a: { n: 9 }, b: { n: 1, own: true }, list: [1, 2, 3] });
  expect(apply('list: [1]\n', overlay('  - { target: $.list, update: [2] }\n')).value).toEqual({ list: [1, [2]] });
});

test.each([
  ['1.0.0', '{ target: $.a.n, update: 2 }', 'actions[0].update needs a target that is a map or a list'],
  ['1.0.0', '{ target: $.a, update: 2 }', 'actions[0].update must be a map, because the target is one'],
  ['1.0.0', '{ target: $, remove: true }', 'actions[0].target is the whole document'],
  ['1.0.0', '{ target: $.a, copy: $.b }', 'actions[0].copy needs overlay: "1.1.0"'],
  ['1.1.0', '{ target: $.a, copy: $.none }', 'actions[0].copy must select exactly one value'],
  ['1.1.0', '{ target: "$.a[" }', 'actions[0].target is not a JSONPath query of RFC 9535'],
])('with version %s, the action %s is refused', (version, action, message) => {
  const { faults, result } = apply('a: { n: 1 }\n', overlay(`  - ${action}\n`, version));
  expect([faults, result]).toEqual([[expect.stringMatching(/^overlay0\.yaml:4: /)], null]);
  expect(faults[0]).toContain(message);
});

/** No overlay may keep the process busy for long, or take all of its memory. */
test.each([
  ['a regular expression that backtracks', "$.names[?search(@, '(a|a)*b')]", 'takes longer than 2 s'],
  ['a filter that searches the whole document for each part of it', '$..[?$..[?$..*]]', 'takes longer than 2 s'],
  [
    'a list that is selected again and again',
    `$[${Array(40).fill("'wide'").join()}][*]`,
    'selects more than 100000 places',
  ],
  ['a long query', `$${'.a'.repeat(2000)}`, 'must have at most 2000 characters'],
])('a query with %s is refused', (_, target, message) => {
  let deep: unknown = 'leaf';
  for (let level = 0; level < 100; level++) deep = { deep, list: [1, 2, 3, 4] };
  const document = JSON.stringify({ deep, wide: Array.from({ length: 3000 }, () => ({})), names: ['a'.repeat(60)] });
  const { faults } = apply(
    document,
    JSON.stringify({
      overlay: '1.0.0',
      info: { title: 'T', version: '1' },
      actions: [{ target, remove: true }],
    }),
  );
  expect(faults).toEqual([expect.stringContaining(message)]);
});

test.each([
  ['- x\n', 'overlay.yaml:1: must be a map'],
  ['overlay: 1.0\n', 'overlay.yaml:1: overlay must be the version of the Overlay Specification, in quotes'],
  ['overlay: 2.0.0\n', 'overlay.yaml:1: overlay must be the version of the Overlay Specification, in quotes'],
  [`${HEAD('1.0.0')}  - { update: {} }\n`, 'overlay.yaml:4: actions[0].target is missing: add it'],
  [`${HEAD('1.0.0')}  - { target: $.a, remove: yes }\n`, 'overlay.yaml:4: actions[0].remove must be true or false'],
  [`${HEAD('1.0.0')}  - { target: $.a, updates: {} }\n`, 'overlay.yaml:4: actions[0].updates is not a known setting'],
  [`${HEAD('1.0.0')}  []\n`, 'overlay.yaml:4: actions must have at least one action'],
  [
    `${HEAD('1.0.0')}  - { target: $.a }\n  - { target: $.a }\n`,
    'overlay.yaml:5: actions[1] is the same as an earlier action',
  ],
])('the overlay %j is refused, and the error names the line', (text, fault) => {
  const faults = new Faults();
  expect(readOverlay('overlay.yaml', text, faults)).toBeNull();
  expect(faults.lines).toContainEqual(expect.stringContaining(fault));
});

test('slow actions share one time limit, and the error names the action that exceeded it', () => {
  const faults = new Faults();
  const document = parseYaml(
    'api.yaml',
    JSON.stringify({ list: Array.from({ length: 5000 }, (_, n) => ({ n })) }),
    faults,
  );
  const actions = Array.from({ length: 1000 }, (_, n) => ({ target: `$..[?@.n > ${n}]`, update: { [`a${n}`]: 1 } }));
  const text = JSON.stringify({ overlay: '1.0.0', info: { title: 'T', version: '1' }, actions });
  expect(document && applyOverlays(document, [{ file: 'overlay.json', text }], faults, [], 100)).toBeNull();
  expect(faults.lines).toEqual([
    expect.stringMatching(
      /^overlay\.json:1: actions\[\d+\] ends after more than 0\.1 s for all overlays of the document/,
    ),
  ]);
});

test('a document that copies double again and again is refused', () => {
  const double = (index: number) =>
    `  - { target: $, update: { c${index}: {} } }\n  - { target: $.c${index}, copy: $.a }\n`;
  const grow = Array.from(
    { length: 60 },
    (_, index) =>
      double(index) +
      `  - { target: $.a, update: { n${index}: {} } }\n  - { target: $.a.n${index}, copy: $.c${index} }\n`,
  );
  const { faults } = apply('a: { n: 1 }\n', overlay(grow.join(''), '1.1.0'));
  expect(faults).toEqual([expect.stringContaining('makes the document')]);
});

test('a suggested query selects its place, whatever the name of the place', () => {
  for (const name of [
    "it's",
    'back\\slash',
    '\\',
    '"',
    '\\"',
    "\\'",
    'new\nline',
    '\u202ex',
    '\u{e0001}',
    'é🙂',
    '/a?b#c',
  ]) {
    const target = queryFor(['paths', name]) ?? '';
    const { value, warnings, faults } = apply(
      JSON.stringify({ paths: { [name]: {}, other: {} } }),
      suggestOverlay([target]),
    );
    expect({ name, value, warnings, faults }).toEqual({
      name,
      value: { paths: { other: {} } },
      warnings: [],
      faults: [],
    });
  }
  expect([queryFor(['\ud800']), queryFor(['\0'])]).toEqual([null, null]);
});
