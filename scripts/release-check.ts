/**
 * `npm run release:check` does all of a release except publishing. What a release publishes is then in `release/`.
 *
 * `--without-image` leaves out the image, for a machine without a container engine. CONTRIBUTING.md explains a release.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCommands, checkPackage, checkRunningVersion } from './release/check-package.ts';
import { checkImage } from './release/check-image.ts';
import { checkWorkflows } from './release/check-workflows.ts';
import { formatNotes, readChangelogSection } from './release/changelog-section.ts';
import { runChecks, type Check } from './release/checks.ts';
import { formatChecksums } from './release/checksums.ts';
import { createSbom } from './release/sbom.ts';
import { listVersionPlaces, readReleaseVersion, requireSameVersion } from './release/version-places.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'release');
const isWithImage = !process.argv.includes('--without-image');

/** Files of the release, in `folder`. */
const files: string[] = [];

function save(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  files.push(name);
  return `release/${name}`;
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const checks: Check[] = [
  { name: 'version', run: () => readReleaseVersion(root) },
  {
    name: 'places that name the version',
    run() {
      const places = listVersionPlaces(root);
      requireSameVersion(version, places);
      return `${places.length} agree`;
    },
  },
  {
    name: 'notes from the changelog',
    run() {
      const section = readChangelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
      const file = save('notes.md', formatNotes(section, process.env['RELEASE_FILES_URL'] ?? null));
      return `${section.date}, ${section.text.split('\n').length} lines, ${file}`;
    },
  },
  { name: 'workflows', run: () => checkWorkflows(root) },
  { name: 'tollgate --version', run: () => checkCommands(root, version) },
  { name: '/v1/system', run: () => checkRunningVersion(root, version) },
  {
    name: 'package',
    run() {
      const packed = checkPackage(root, folder, version);
      files.push(packed.file);
      return `release/${packed.file}, ${packed.fileCount} files, ${formatSize(packed.bytes)}`;
    },
  },
  {
    name: 'SBOM',
    run() {
      const sbom = createSbom(root);
      const file = save('tollgate.cdx.json', `${JSON.stringify(sbom, null, 2)}\n`);
      return `CycloneDX, ${sbom.components.length} packages, ${file}`;
    },
  },
  ...(isWithImage
    ? [
        {
          name: 'image',
          async run() {
            const { bytes, labelCount } = await checkImage(version);
            return `${formatSize(bytes)}, ${labelCount} labels; --version and /v1/system agree`;
          },
        },
      ]
    : []),
  {
    name: 'checksums',
    run() {
      writeFileSync(join(folder, 'SHA256SUMS'), formatChecksums(folder, files));
      return `release/SHA256SUMS, ${files.length} files`;
    },
  },
];

function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const write = (text: string) => process.stdout.write(text);
const failed = await runChecks(checks, { write });
if (!isWithImage) write('NOT CHECKED  image: --without-image was given\n');
write(failed === 0 ? `\n${version} can be released.\n` : `\n${failed} of ${checks.length} checks failed.\n`);
process.exitCode = failed === 0 ? 0 : 1;
