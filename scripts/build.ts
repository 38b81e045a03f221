/**
 * Builds the pages of the console and the portal into `dist/`. npm runs it after an installation (`prepare`). Where Vite
 * is not installed (`npm ci --omit=dev`) or its native part is not (`--omit=optional`), it only says so: the gateway
 * runs without the pages.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Vite from 'vite';
import { guidePages } from '../web/portal/screens/guides/guide-pages.ts';
import { GUIDES_FILE, licensesFile, SITES, siteConfig, siteFolder } from '../web/sites.ts';
import { compressFiles } from './web/compress.ts';

const logLevel = process.argv.includes('--verbose') ? 'info' : 'warn';
const vite = await loadVite();
if (vite !== null) {
  for (const site of SITES) {
    await vite.build({ ...siteConfig(site), logLevel });
    await copyFile(licensesFile(site), join(siteFolder(site), 'licenses.txt'));
    await compressFiles(siteFolder(site));
  }
  await writeFile(GUIDES_FILE, JSON.stringify(guidePages(await doc('consumers.md'), await doc('errors.md'))));
}

function doc(name: string): Promise<string> {
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
