import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTypes, useJavaScriptEndings } from './without-types.ts';

const ROOT = join(import.meta.dirname, '../..');
const MODULE_TYPES = 'src/data-plane/upstreams/in-process/module-types.d.ts';

/** Files that are packed unchanged, besides those that lie beside the code. */
const COPIED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'config/*.yaml',
  'dist/guides.json',
  'dist/{console,portal}/**/*',
  'docs/**/*.md',
  'ops/*',
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Writes the files of the npm package to a folder. Its layout is that of the checkout, but the code is JavaScript.
 *
 * @param folder is emptied first
 * @returns the paths of the files, in order
 */
export function writePackage(folder: string): string[] {
  if (!existsSync(join(ROOT, 'dist/console')) || !existsSync(join(ROOT, 'dist/portal'))) {
    throw new Error('the pages of the console and the portal are missing: run "npm run prepare" first');
  }
  rmSync(folder, { recursive: true, force: true });
  const manifest = readManifest();
  const add = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  add('package.json', formatJson(toPublishedManifest(manifest)));
  add('npm-shrinkwrap.json', formatJson(lockPackages(manifest)));
  for (const path of findFiles('bin/*')) add(path, useJavaScriptEndings(read(path)));
  for (const path of findFiles('src/**/*')) {
    if (path.endsWith('.d.ts')) continue;
    if (path.endsWith('.ts')) add(toPackedPath(path), removeTypes(read(path)));
    else copy(path, folder);
  }
  for (const path of COPIED.flatMap((pattern) => findFiles(pattern))) copy(path, folder);
  writeDeclarations(folder);
  return findFiles('**/*', folder);
}

/** Where the package has a file of the checkout. */
export function toPackedPath(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

/** @returns paths relative to the folder, in order */
export function findFiles(pattern: string, folder = ROOT): string[] {
  return globSync(pattern, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function copy(path: string, folder: string): void {
  cpSync(join(ROOT, path), join(folder, path));
}

function readManifest(): Manifest {
  return JSON.parse(read('package.json')) as Manifest;
}

function toPublishedManifest({ name, version, description, license, type, bin, engines, dependencies }: Manifest) {
  const exports = { '.': { types: `./${MODULE_TYPES}` }, './package.json': './package.json' };
  return { name, version, description, license, type, bin, exports, engines, dependencies };
}

/**
 * The lock file, reduced to what the package depends on. The Node that a checkout brings is not among it, and neither is
 * the address of a registry, because every installation has its own.
 */
function lockPackages({ name, version, license, bin, engines, dependencies, optionalDependencies }: Manifest): object {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const left = new Set(['', ...Object.keys(optionalDependencies).map((each) => `node_modules/${each}`)]);
  const packages = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => !left.has(path) && dev !== true && devOptional !== true,
  );
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name, version, license, dependencies, bin, engines }, ...Object.fromEntries(packages) },
  };
}

/** Writes the type declarations for upstream modules. */
function writeDeclarations(folder: string): void {
  const options = ['--project', 'scripts/package', '--outDir', folder];
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { cwd: ROOT });
  for (const path of globSync('src/**/*.d.ts', { cwd: folder })) {
    const file = join(folder, path);
    writeFileSync(file, useJavaScriptEndings(readFileSync(file, 'utf8')));
  }
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
