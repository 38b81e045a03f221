import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { listVersionPlaces, readReleaseVersion, requireSameVersion } from '../../../scripts/release/version-places.ts';
import { checkCommands, checkRunningVersion, requireVersion } from '../../../scripts/release/check-package.ts';
import { readRunningVersion } from '../../../scripts/release/running-version.ts';
import { root } from '../../support/gateway/gateway.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const FILES = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'Dockerfile',
  'deploy/kubernetes/base/deployment.yaml',
  'docs/operators/kubernetes.md',
];

/** Copies the files that name the version, and changes one of the copies. */
function copyWith(file: string, change: (text: string) => string): string {
  const folder = temporaryDirectory();
  for (const each of FILES) {
    mkdirSync(dirname(join(folder, each)), { recursive: true });
    cpSync(join(root, each), join(folder, each));
  }
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  return folder;
}

const version = readReleaseVersion(root);

test('every place of this checkout names the same version', () => {
  const places = listVersionPlaces(root);
  expect(places.length).toBeGreaterThanOrEqual(7);
  expect(() => requireSameVersion(version, places)).not.toThrow();
});

test.each([
  ['package-lock.json', 'package-lock.json (version) says 9.9.9'],
  ['CHANGELOG.md', 'CHANGELOG.md:3 says 9.9.9'],
  ['Dockerfile', /Dockerfile:\d+ says 9\.9\.9/],
  ['deploy/kubernetes/base/deployment.yaml', /deploy\/kubernetes\/base\/deployment\.yaml:\d+ says 9\.9\.9/],
  ['docs/operators/kubernetes.md', /docs\/operators\/kubernetes\.md:\d+ says 9\.9\.9/],
])('another version in %s is reported with its place', (file, message) => {
  const folder = copyWith(file, (text) => text.replace(version, '9.9.9'));
  expect(() => requireSameVersion(version, listVersionPlaces(folder))).toThrow(message);
});

test('a file that no longer contains the version is reported', () => {
  const folder = copyWith('Dockerfile', (text) => text.replace('image.version=', 'image.edition='));
  expect(() => requireSameVersion(version, listVersionPlaces(folder))).toThrow('Dockerfile says none');
});

test.each(['2.0.0-dev', '2.0', 'v2.0.0', ''])('%j is not accepted as the version of a release', (bad) => {
  const folder = copyWith('package.json', (text) => text.replace(version, bad));
  expect(() => readReleaseVersion(folder)).toThrow(`package.json: "${bad}" is not the version of a release`);
});

test('the admin API and the command line name the version of the package', async () => {
  expect(await checkRunningVersion(root, version)).toBe(version);
  expect(checkCommands(root, version)).toBe(version);
});

test('a running gateway with another version, or one that does not start, is reported', async () => {
  expect(() => requireVersion('/v1/system', '9.9.9', version)).toThrow(`/v1/system says 9.9.9, not ${version}`);
  const command = [process.execPath, '--eval', 'console.error("no port is free"); process.exit(1)'];
  await expect(readRunningVersion(command, process.env)).rejects.toThrow(/did not start:\nno port is free/);
});
