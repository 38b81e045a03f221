/**
 * `npm run package` makes the npm package: the files in `dist/package`, packed into `dist/`.
 *
 * `npm pack` in the checkout calls this script too, with `--replace`, after npm has built the pages and packed the
 * checkout. npm cannot be told to pack another folder, so the file that it wrote is replaced.
 */
import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePackage } from './package/pack.ts';

const DIST = join(import.meta.dirname, '../dist');
const { INIT_CWD = '.', npm_config_pack_destination: packDestination = '.', npm_config_dry_run: isDry } = process.env;

const isCalledByPack = process.argv.includes('--replace');
if (!isCalledByPack) report(makePackage(join(DIST, 'package'), DIST));
else if (isDry !== 'true') {
  const destination = resolve(INIT_CWD, packDestination);
  const { npm_package_name: name = '', npm_package_version: version = '' } = process.env;
  rmSync(join(destination, `${name}-${version}.tgz`), { force: true });
  report(makePackage(join(DIST, 'package'), destination));
}

function report(file: string): void {
  process.stderr.write(`Packed dist/package into ${file} (${Math.round(statSync(file).size / 1024)} kB)\n`);
}
