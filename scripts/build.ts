/**
 * Builds the pages of the console and the portal into `dist/`, with the licenses of the packages in them. npm runs this
 * script after an installation (`prepare`). If Vite (`npm ci --omit=dev`) or its native part (`--omit=optional`) is not
 * installed, the script only prints a message, because the gateway also runs without the pages.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Vite from 'vite';
import { guidePages } from '../web/portal/screens/guides/guide-pages.ts';
import { GUIDES_FILE, SITES, siteConfig, siteFolder } from '../web/sites.ts';
import { listBundledPackages } from './notices/bundled-packages.ts';
import { readNotice, writeNotices } from './notices/notices.ts';
import { compressFiles } from './web/compress.ts';

const logLevel = process.argv.includes('--verbose') ? 'info' : 'warn';
const vite = await loadVite();
if (vite !== null) {
  for (const site of SITES) {
    const config = siteConfig(site);
    const buildOutput = (await vite.build({ ...config, logLevel })) as Vite.Rolldown.RolldownOutput;
    const packages = listBundledPackages(buildOutput, String(config.root));
    const intro = `The pages of Tollgate's ${site} are made with code, fonts and icons of these packages:`;
    await writeFile(join(siteFolder(site), 'licenses.txt'), writeNotices(intro, packages.map(readNotice)));
    await compressFiles(siteFolder(site));
  }
  await writeFile(
    GUIDES_FILE,
    JSON.stringify(guidePages(await readDocument('consumers.md'), await readDocument('errors.md'))),
  );
}

function readDocument(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, '../docs', name), 'utf8');
}

async function loadVite(): Promise<typeof Vite | null> {
  if (!isInstalled('vite')) {
    process.stderr.write('The pages were not built, because Vite is not installed (npm ci without --omit=dev)\n');
    return null;
  }
  try {
    return await import('vite');
  } catch (error) {
    const reason = String(error).split('\n', 1)[0];
    process.stderr.write(
      `The pages were not built, because Vite could not be loaded (npm ci without --omit=optional): ${reason}\n`,
    );
    return null;
  }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
