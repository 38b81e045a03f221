/**
 * Data flows one way: a folder imports only from folders below it, and no file imports itself by way of others. Whoever
 * reads a file then knows what it can depend on, and whoever changes it, what can depend on it.
 */
import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { root } from '../support/gateway/gateway.ts';

/** From the bottom to the top; where one path begins with another, the longer one counts. */
const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['observability'],
  ['redis', 'database'],
  ['admission'],
  ['registry'],
  ['history', 'accounts'],
  ['upstreams'],
  ['config'],
  ['pipeline'],
  ['observability/metrics'],
  ['server'],
  ['http-api'],
  ['admin', 'portal'],
  // What puts the rest together.
  [''],
  ['cli'],
];
/** Stands on its own: it imports nothing of the gateway, nor the gateway of it. */
const PETSTORE = 'petstore';

const src = join(root, 'src');
const files = globSync('**/*.ts', { cwd: src }).sort();
const importsOf = new Map(files.map((file) => [file, importsIn(file)]));

function importsIn(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from |import\(|^import )'(\.[^']+)'/gm)].map(([, path = '']) => path);
  return specifiers.map((path) => normalize(join(dirname(file), path)));
}

function layerOf(file: string): number {
  let [layer, length] = [-1, -1];
  for (const [index, folders] of LAYERS.entries()) {
    for (const folder of folders) {
      const inside = folder === '' ? !file.includes('/') : file.startsWith(`${folder}/`);
      if (inside && folder.length > length) [layer, length] = [index, folder.length];
    }
  }
  if (layer === -1) throw new Error(`src/${file} is in a folder without a layer: give it one`);
  return layer;
}

const isPetstore = (file: string) => file.startsWith(`${PETSTORE}/`);

test('no import goes up', () => {
  const upwards = files
    .filter((file) => !isPetstore(file))
    .flatMap((file) =>
      (importsOf.get(file) ?? [])
        .filter((imported) => !isPetstore(imported) && layerOf(imported) > layerOf(file))
        .map((imported) => `src/${file} imports src/${imported}`),
    );
  expect(upwards).toEqual([]);
});

test('the pet store and the gateway import nothing of each other; the command line serves it', () => {
  const crossing = files.flatMap((file) =>
    (importsOf.get(file) ?? [])
      .filter((imported) => isPetstore(imported) !== isPetstore(file) && !file.startsWith('cli/'))
      .map((imported) => `src/${file} imports src/${imported}`),
  );
  expect(crossing).toEqual([]);
});

test('none imports itself by way of others', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const imported of importsOf.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('a folder holds fifteen files at most', () => {
  const counts = Map.groupBy(globSync('{src,test}/**/*.*', { cwd: root }), (file) => dirname(relative('', file)));
  const full = [...counts].filter(([, list]) => list.length > 15).map(([folder, list]) => `${folder}: ${list.length}`);
  expect(full).toEqual([]);
});
