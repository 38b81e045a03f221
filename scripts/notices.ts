/**
 * `node scripts/notices.ts FILE` writes the licenses of the packages in the container image, which `npm ci --omit=dev
 * --omit=optional` installs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNotice, writeNotices } from './notices/notices.ts';
import { listProductionPackages } from './notices/production-packages.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node scripts/notices.ts FILE');
const packages = listProductionPackages(join(import.meta.dirname, '..'));
const intro = 'Tollgate uses these packages, which are in node_modules/ of its container image:';
writeFileSync(file, writeNotices(intro, packages.map(readNotice)));
