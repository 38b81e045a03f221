/**
 * Dependencies go one way: a folder imports only from folders below it, and no file imports itself indirectly. So the
 * folder of a file shows its possible dependencies and dependents.
 */
import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../support/gateway/gateway.ts';

/** A tree of files whose folders are layers, listed from bottom to top. If several paths match, the longest counts. */
interface Tree {
  readonly folder: string;
  readonly layers: readonly (readonly string[])[];
  /** The imports of each file. */
  readonly importsOf: ReadonlyMap<string, readonly string[]>;
}

const trees: readonly Tree[] = [
  readTree('src', [
    // Files that browsers run too: see the test below.
    ['base/portable'],
    ['base'],
    ['domain'],
    ['http', 'openapi', 'storage', 'telemetry', 'process'],
    ['data-plane', 'control-plane'],
    ['config'],
    ['assembly'],
    // The composition root and the entry points.
    [''],
    ['cli'],
    // Independent of the others: see the test below.
    ['petstore'],
  ]),
  readTree('web', [
    ['shared/format', 'shared/styles'],
    ['shared/behavior', 'shared/transport'],
    ['shared/ui'],
    ['shared/traffic', 'shared/webhooks'],
    ['console/api', 'portal/api'],
    ['console/session', 'portal/session'],
    ['portal/code'],
    ['portal/markdown'],
    ['portal/reference'],
    ['console/parts', 'portal/parts'],
    ['console/actions'],
    ['console/screens', 'portal/screens'],
    ['console/layout', 'portal/layout'],
    ['console', 'portal'],
    // The build configuration.
    [''],
  ]),
];

function readTree(folder: string, layers: Tree['layers']): Tree {
  const files = globSync('**/*.{ts,tsx}', { cwd: join(root, folder) }).sort();
  const withoutTests = files.filter((file) => !file.endsWith('.test.ts'));
  return { folder, layers, importsOf: new Map(withoutTests.map((file) => [file, importsIn(folder, file)])) };
}

function importsIn(folder: string, file: string): string[] {
  const text = readFileSync(join(root, folder, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from |import\(|^import )'(\.[^']+)'/gm)].map(([, path = '']) => path);
  return specifiers.map((path) => normalize(join(dirname(file), path)));
}

function findLayer({ folder: tree, layers }: Tree, file: string): number {
  let [layer, length] = [-1, -1];
  for (const [index, folders] of layers.entries()) {
    for (const folder of folders) {
      const inside = folder === '' ? !file.includes('/') : file.startsWith(`${folder}/`);
      if (inside && folder.length > length) [layer, length] = [index, folder.length];
    }
  }
  if (layer === -1) throw new Error(`${tree}/${file} is in a folder without a layer: give it one`);
  return layer;
}

/** The imports in a tree for which `isWrong`, one line each. */
function importsThat(isWrong: (file: string, imported: string) => boolean, { folder, importsOf }: Tree): string[] {
  return [...importsOf].flatMap(([file, list]) =>
    list
      .filter((imported) => isWrong(file, imported))
      .map((imported) => `${folder}/${file} imports ${normalize(join(folder, imported))}`),
  );
}

const isPetstore = (file: string) => file.startsWith('petstore/');

test.each(trees)('$folder imports nothing from a higher layer', (tree) => {
  const isUpwards = (file: string, imported: string) =>
    !isPetstore(imported) && !imported.startsWith('..') && findLayer(tree, imported) > findLayer(tree, file);
  expect(importsThat(isUpwards, tree)).toEqual([]);
});

/**
 * The gateway runs without the sources of the pages, and the image builds the pages without the sources of the gateway:
 * all that they share is in `src/base/portable`, which the Dockerfile copies to both.
 */
test.each(trees)('$folder is not imported from outside, except by the pages from src/base/portable', (tree) => {
  const isShared = (imported: string) => tree.folder === 'web' && imported.startsWith('../src/base/portable/');
  const isOutside = (_: string, imported: string) => imported.startsWith('..') && !isShared(imported);
  expect(importsThat(isOutside, tree)).toEqual([]);
});

test('files in src/base/portable import no packages, which the pages would have to load', () => {
  const files = globSync('src/base/portable/**/*.ts', { cwd: root });
  expect(files).not.toEqual([]);
  const packages = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/from '[^.].*'/g) ?? []);
  expect(packages).toEqual([]);
});

test('the two planes import nothing from each other, except the types at the boundary of the data plane', () => {
  const BOUNDARY = 'data-plane/boundary-types.ts';
  const isCrossing = (file: string, imported: string) =>
    (file.startsWith('data-plane/') && imported.startsWith('control-plane/')) ||
    (file.startsWith('control-plane/') && imported.startsWith('data-plane/') && imported !== BOUNDARY);
  expect(importsThat(isCrossing, trees[0]!)).toEqual([]);
  // Type imports are allowed in both directions, because they load nothing at run time.
  const loading = globSync('{control-plane/**/*.ts,data-plane/boundary-types.ts}', { cwd: join(root, 'src') }).filter(
    (file) => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      return file === BOUNDARY
        ? /^(?:import|export) (?!type )/m.test(text)
        : /^import (?!type )[^;]*data-plane\/boundary-types\.ts'/m.test(text);
    },
  );
  expect(loading).toEqual([]);
});

/** A folder and those inside it are one subject: the parts of a port lie beside it, or below it. */
test.each(trees)('no two folders in $folder import each other, unless one is inside the other', ({ importsOf }) => {
  const isInside = (one: string, other: string) => one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
  const imports = new Map<string, string>();
  for (const [file, list] of importsOf) {
    for (const imported of list) {
      const [from, to] = [dirname(file), dirname(imported)];
      if (from !== to && !isInside(from, to)) imports.set(`${from} ${to}`, `${file} → ${imported}`);
    }
  }
  const mutual = [...imports].flatMap(([folders, example]) => {
    const back = imports.get(folders.split(' ').toReversed().join(' '));
    return back === undefined ? [] : [[example, back].sort().join(', ')];
  });
  expect([...new Set(mutual)]).toEqual([]);
});

test('the pet store and the gateway import nothing from each other; the command line serves it', () => {
  const isCrossing = (file: string, imported: string) =>
    isPetstore(imported) !== isPetstore(file) && !file.startsWith('cli/');
  expect(trees.flatMap((tree) => importsThat(isCrossing, tree))).toEqual([]);
});

test('the console and the portal import nothing from each other', () => {
  const findSite = (file: string) => /^(console|portal)\//.exec(file)?.[1];
  const isCrossing = (file: string, imported: string) => {
    const [from, to] = [findSite(file), findSite(imported)];
    return from !== undefined && to !== undefined && from !== to;
  };
  expect(trees.filter(({ folder }) => folder === 'web').flatMap((tree) => importsThat(isCrossing, tree))).toEqual([]);
});

test.each(trees)('no file in $folder imports itself indirectly', ({ importsOf }) => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const imported of importsOf.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of importsOf.keys()) visit(file, []);
  expect(circles).toEqual([]);
});
