/** The npm package has the code of the sources, and every file of it can be loaded where Node strips no types. */
import { beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, type ParserPlugin } from '@babel/parser';
import { findFiles, toPackedPath, writePackage } from '../../scripts/package/package-files.ts';
import { root } from '../support/gateway/gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A folder in which the package is installed, with links to the packages that it needs. */
const folder = temporaryDirectory();
const installed = join(folder, 'node_modules/tollgate');

interface Shrinkwrap {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

function readShrinkwrap(): Shrinkwrap {
  return JSON.parse(readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8')) as Shrinkwrap;
}

beforeAll(() => {
  mkdirSync(dirname(installed));
  writePackage(installed);
  for (const path of Object.keys(readShrinkwrap().packages)) {
    if (!/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
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
    // An overload, whose `export` goes too.
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

/** The tokens that should be left of a source. */
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

/** Without modifiers, and without commas and semicolons, of which some belong to what was removed. */
function comparable(tokens: readonly string[]): string[] {
  return tokens.filter((text) => !MODIFIER.test(text) && text !== ',' && text !== ';');
}

test('each file has the tokens of its source, without types', () => {
  const sources = findFiles('src/**/*.ts').filter((path) => !path.endsWith('.d.ts'));
  expect(sources.length).toBeGreaterThan(500);
  const differing = sources.flatMap((path) => {
    const packed = readFileSync(join(installed, toPackedPath(path)), 'utf8');
    const expected = expectedTokens(readFileSync(join(root, path), 'utf8'));
    const actual = comparable(parseFile(packed, []).words.map(({ text }) => text));
    const at = expected.findIndex((text, index) => text !== actual[index]);
    if (at === -1 && expected.length === actual.length) return [];
    return [{ path, expected: expected.slice(at - 3, at + 6), actual: actual.slice(at - 3, at + 6) }];
  });
  expect(differing).toEqual([]);
});

test('the other files are unchanged, and those beside the code are complete', () => {
  const others = findFiles('src/**/*').filter((path) => !path.endsWith('.ts'));
  expect(others.length).toBeGreaterThan(40);
  for (const path of [...others, ...findFiles('config/*'), ...findFiles('dist/{console,portal}/**/*'), 'LICENSE']) {
    expect([path, readFileSync(join(installed, path)).equals(readFileSync(join(root, path)))]).toEqual([path, true]);
  }
  expect(globSync('**/*.ts', { cwd: installed }).filter((path) => !path.endsWith('.d.ts'))).toEqual([]);
});

// These start to run when they are loaded, so only a start of the package loads them.
const ENTRY_POINTS = /\/(?:main|cli-main|\w+-worker)\.js$/;

test('every file can be loaded from below node_modules', () => {
  const files = globSync('src/**/*.js', { cwd: installed }).filter((path) => !ENTRY_POINTS.test(`/${path}`));
  writeFileSync(
    join(folder, 'load.mjs'),
    `for (const file of ${JSON.stringify(files)}) await import('./node_modules/tollgate/' + file);\nconsole.log('loaded');\n`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['load.mjs'], { cwd: folder, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['loaded\n', '']);
});

test('the package brings no Node, no development packages and no address of a registry', () => {
  const text = readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8');
  expect(text).not.toMatch(/"resolved"|https?:\/\/registry|"dev"|node_modules\/node-(?:bin|linux|darwin|win)/);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(manifest)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:private|scripts|devDependencies|optionalDependencies)$/)]),
  );
  expect(Object.values(manifest['dependencies'] as object).every((version) => /^\d/.test(String(version)))).toBe(true);
});

test('a module in TypeScript can use the types of what it receives', () => {
  writeFileSync(
    join(folder, 'service.ts'),
    `import type { UpstreamModule } from 'tollgate';
export default {
  async create(options, { dataDir, logger, publish }) {
    const { id } = await publish('a.b', { dataDir }, { subject: 'x' });
    logger.info({ id }, 'published');
    return { handler: (req, res) => res.end(req.url) };
  },
} satisfies UpstreamModule;
// @ts-expect-error: a module must return a handler
({ create: () => ({}) }) satisfies UpstreamModule;
`,
  );
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    types: ['node'],
    lib: ['esnext'],
  };
  const compilerOptions = { ...options, preserveSymlinks: true, skipLibCheck: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['service.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder];
  const { stdout, status } = spawnSync(process.execPath, tsc, { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});
