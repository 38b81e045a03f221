/** The npm package has the code of the sources, and only the files that an installation needs. */
import { beforeAll, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, type ParserPlugin } from '@babel/parser';
import { findFiles, toPackedPath, writePackage } from '../../scripts/package/package-files.ts';
import { root } from '../support/gateway/gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const folder = temporaryDirectory();

let packed: string[];
beforeAll(() => {
  packed = writePackage(folder);
});

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

function parseFile(text: string, plugins: ParserPlugin[]) {
  const { program, tokens } = parse(text, { sourceType: 'module', tokens: true, plugins });
  const words = (tokens as { type: string | object; value?: unknown; start: number; end: number }[])
    // Comments have a name as their type.
    .filter(({ type }) => typeof type !== 'string')
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    .filter((token) => token.text !== '');
  return { program: program as unknown as SyntaxNode, words };
}

/** Adds the ranges of syntax that only TypeScript has. */
function collectTypeRanges(value: unknown, source: string, ranges: [number, number][]): void {
  if (Array.isArray(value)) for (const each of value) collectTypeRanges(each, source, ranges);
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return;
  const node = value as SyntaxNode;
  const { type, start, end } = node;
  const add = (from: number, to: number) => void ranges.push([from, to]);
  if (type === 'TSAsExpression' || type === 'TSSatisfiesExpression' || type === 'TSNonNullExpression') {
    const written = node['typeAnnotation'] as SyntaxNode | undefined;
    const keyword = type === 'TSAsExpression' ? ' as ' : ' satisfies ';
    add(written === undefined ? end - 1 : source.lastIndexOf(keyword, written.start), end);
    return collectTypeRanges(node['expression'], source, ranges);
  }
  const isTypeOnly =
    type.startsWith('TS') ||
    node['importKind'] === 'type' ||
    node['exportKind'] === 'type' ||
    // This is an overload, whose `export` is removed as well.
    (node['declaration'] as SyntaxNode | null | undefined)?.type === 'TSDeclareFunction' ||
    node['declare'] === true ||
    (type === 'ClassProperty' && node['abstract'] === true) ||
    (type === 'Identifier' && node['name'] === 'this' && node['typeAnnotation'] !== undefined);
  if (isTypeOnly) return add(start, end);
  if (Array.isArray(node['implements']) && node['implements'].length > 0) {
    const list = node['implements'] as SyntaxNode[];
    add(source.lastIndexOf('implements', list[0]!.start), list.at(-1)!.end);
  }
  // `name?: T`
  if (node['optional'] === true && /^(?:Identifier|Class\w+|ObjectPattern|ArrayPattern)$/.test(type)) {
    const key = (node['key'] as SyntaxNode | undefined)?.end ?? start;
    const at = source.indexOf('?', key);
    add(at, at + 1);
  }
  for (const [field, child] of Object.entries(node)) {
    if (field !== 'tokens' && field !== 'loc' && !field.endsWith('Comments')) collectTypeRanges(child, source, ranges);
  }
}

const MODIFIER = /^(?:readonly|override|private|public|protected|abstract)$/;

/** @returns the tokens of a source that should remain after its types are removed */
function expectedTokens(source: string): string[] {
  const { program, words } = parseFile(source, ['typescript']);
  const ranges: [number, number][] = [];
  collectTypeRanges(program, source, ranges);
  ranges.sort(([one], [other]) => one - other);
  const kept: typeof words = [];
  let next = 0;
  let removedTo = 0;
  for (const word of words) {
    while (next < ranges.length && ranges[next]![0] <= word.start) removedTo = Math.max(removedTo, ranges[next++]![1]);
    if (word.start >= removedTo) kept.push(word);
  }
  return comparable(
    kept.map(({ text }) => (/^['"]\.\.?\/.*\.ts['"]$/.test(text) ? text.replace(/\.ts(?=.$)/, '.js') : text)),
  );
}

/** Drops modifiers, commas and semicolons, because some of them belong to removed types. */
function comparable(tokens: readonly string[]): string[] {
  return tokens.filter((text) => !MODIFIER.test(text) && text !== ',' && text !== ';');
}

test('each compiled file has the tokens of its source, without types', () => {
  const sources = findFiles('src/**/*.ts').filter((path) => !path.endsWith('.d.ts'));
  expect(sources.length).toBeGreaterThan(500);
  const differing = sources.flatMap((path) => {
    const packed = readFileSync(join(folder, toPackedPath(path)), 'utf8');
    const expected = expectedTokens(readFileSync(join(root, path), 'utf8'));
    const actual = comparable(parseFile(packed, []).words.map(({ text }) => text));
    const at = expected.findIndex((text, index) => text !== actual[index]);
    if (at === -1 && expected.length === actual.length) return [];
    return [{ path, expected: expected.slice(at - 3, at + 6), actual: actual.slice(at - 3, at + 6) }];
  });
  expect(differing).toEqual([]);
});

test('other files are unchanged, and the files beside the code are complete', () => {
  const others = findFiles('src/**/*').filter((path) => !path.endsWith('.ts'));
  expect(others.length).toBeGreaterThan(40);
  for (const path of [...others, ...findFiles('config/*'), ...findFiles('dist/{console,portal}/**/*'), 'LICENSE']) {
    expect([path, readFileSync(join(folder, path)).equals(readFileSync(join(root, path)))]).toEqual([path, true]);
  }
});

/**
 * A change to this list changes what people install. Folders of code, pages and documents have one entry per kind of
 * file.
 */
test('the package contains exactly the expected files', () => {
  const kinds = packed.map((path) =>
    path
      .replace(/^docs\/(operators\/)?[^/]+\.md$/, 'docs/$1*.md')
      .replace(/^((?:src|dist)\/[^/]+)\/.*?((?:\.d)?\.\w+)(?:\.br|\.gz)?$/, '$1/**/*$2'),
  );
  expect([...new Set(kinds)].toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin/check-node.cjs',
    'bin/tollgate.js',
    'config/gateway.yaml',
    'config/petstore.openapi.yaml',
    'config/plans.yaml',
    'dist/console/**/*.css',
    'dist/console/**/*.html',
    'dist/console/**/*.js',
    'dist/console/**/*.svg',
    'dist/console/**/*.txt',
    'dist/console/**/*.woff2',
    'dist/guides.json',
    'dist/portal/**/*.css',
    'dist/portal/**/*.html',
    'dist/portal/**/*.js',
    'dist/portal/**/*.md',
    'dist/portal/**/*.svg',
    'dist/portal/**/*.txt',
    'dist/portal/**/*.woff2',
    'docs/*.md',
    'docs/operators/*.md',
    'npm-shrinkwrap.json',
    'ops/grafana-dashboard.json',
    'ops/prometheus-alerts.yaml',
    'package.json',
    'src/assembly/**/*.js',
    'src/base/**/*.d.ts',
    'src/base/**/*.js',
    'src/cli/**/*.js',
    'src/config/**/*.js',
    'src/control-plane/**/*.js',
    'src/control-plane/**/*.yaml',
    'src/data-plane/**/*.d.ts',
    'src/data-plane/**/*.js',
    'src/data-plane/**/*.lua',
    'src/domain/**/*.js',
    'src/gateway.js',
    'src/http/**/*.js',
    'src/main.js',
    'src/openapi/**/*.d.ts',
    'src/openapi/**/*.js',
    'src/petstore/**/*.js',
    'src/process/**/*.js',
    'src/shutdown.js',
    'src/start.js',
    'src/storage/**/*.js',
    'src/telemetry/**/*.js',
  ]);
});

test('every relative path in the code names a file of the package', () => {
  const missing = packed.flatMap((path) => {
    if (!/\.c?js$/.test(path) || path.startsWith('dist/')) return [];
    const strings = parseFile(readFileSync(join(folder, path), 'utf8'), []).words.map(({ text }) => text);
    const named = strings.flatMap((text) => /^['"](\.\.?\/.*\.(?:c?js|lua|yaml))['"]$/.exec(text)?.[1] ?? []);
    return named.filter((each) => !existsSync(join(folder, dirname(path), each))).map((each) => [path, each]);
  });
  expect(missing).toEqual([]);
});

test('the package contains no Node, no development packages and no address of a registry', () => {
  const text = readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8');
  expect(text).not.toMatch(/"resolved"|https?:\/\/registry|"dev"|node_modules\/node-(?:bin|linux|darwin|win)/);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(manifest)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:private|scripts|devDependencies|optionalDependencies)$/)]),
  );
  expect(Object.values(manifest['dependencies'] as object).every((version) => /^\d/.test(String(version)))).toBe(true);
});
