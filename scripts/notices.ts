/**
 * `npm run notices` writes the licenses of the packages that are distributed: those whose code, fonts and icons are
 * built into the pages, and those in the container image. `npm run notices:check` exits with 1 if a file is out of
 * date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { licensesFile, SITES } from '../web/sites.ts';
import { bundledPackages } from './notices/bundled-packages.ts';
import { readNotice, writeNotices } from './notices/notices.ts';
import { productionPackages } from './notices/production-packages.ts';

const root = join(import.meta.dirname, '..');
const files = [
  {
    file: join(root, 'THIRD-PARTY-NOTICES.txt'),
    intro: 'Tollgate uses these packages, which are in node_modules/ of its container image:',
    packages: productionPackages(root),
  },
];
for (const site of SITES) {
  files.push({
    file: licensesFile(site),
    intro: `The pages of Tollgate's ${site} are made with code, fonts and icons of these packages:`,
    // oxlint-disable-next-line no-await-in-loop -- a build uses all cores
    packages: await bundledPackages(site),
  });
}

for (const { file, intro, packages } of files) {
  const next = writeNotices(intro, packages.map(readNotice));
  const current = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (next === current) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${relative(root, file)} is not what is installed: run npm run notices\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, next);
  }
}
