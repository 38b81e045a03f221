import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseFault } from './release-fault.ts';

interface VersionPlace {
  /** The file, and the line if it is known. */
  readonly place: string;
  readonly version: string;
}

const RELEASE = /^\d+\.\d+\.\d+$/;

/** Files with lines that name the version, with a pattern that finds it in a line. */
const PATTERNS: readonly (readonly [files: string, pattern: RegExp])[] = [
  ['CHANGELOG.md', /^## (\S+)/],
  ['Dockerfile', /org\.opencontainers\.image\.version="([^"]*)"/],
  ['deploy/kubernetes/**/*.yaml', /image: tollgate:(\S+)/],
  ['docs/operators/kubernetes.md', /docker build -t \S+\/tollgate:(\S+)/],
];

/** @throws ReleaseFault if the version in package.json is no version of a release */
export function readReleaseVersion(root: string): string {
  const { version } = readJson(root, 'package.json') as { version?: string };
  if (version !== undefined && RELEASE.test(version)) return version;
  throw new ReleaseFault(
    `package.json: "${version}" is not the version of a release`,
    'set it with "npm version 2.1.0 --no-git-tag-version", and the other places that this check then names',
  );
}

/** Lists where files name the version of this release. Of a changelog, only the first section counts. */
export function listVersionPlaces(root: string): VersionPlace[] {
  const lock = readJson(root, 'package-lock.json') as { version: string; packages: { '': { version: string } } };
  return [
    { place: 'package-lock.json (version)', version: lock.version },
    { place: 'package-lock.json (packages)', version: lock.packages[''].version },
    ...PATTERNS.flatMap(([files, pattern]) => {
      const paths = globSync(files, { cwd: root }).sort();
      const found = paths.flatMap((path) => findVersions(root, path, pattern));
      if (found.length === 0) return [{ place: files, version: 'none' }];
      return files === 'CHANGELOG.md' ? found.slice(0, 1) : found;
    }),
  ];
}

/** @throws ReleaseFault with every place that names another version */
export function requireSameVersion(version: string, places: readonly VersionPlace[]): void {
  const others = places.filter((each) => each.version !== version);
  if (others.length === 0) return;
  const list = others.map((each) => `${each.place} says ${each.version}`).join('; ');
  throw new ReleaseFault(`the version is ${version}, but ${list}`, `write ${version} there, or change package.json`);
}

function findVersions(root: string, path: string, pattern: RegExp): VersionPlace[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const [, version] = pattern.exec(line) ?? [];
    return version === undefined ? [] : [{ place: `${path}:${index + 1}`, version }];
  });
}

function readJson(root: string, file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
