/**
 * Builds what browsers load, into `dist/`. npm runs it after an installation (`prepare`); where Vite is not installed,
 * as after `npm ci --omit=dev`, it does nothing.
 */
import { join } from 'node:path';
import { compressFiles } from './web/compress.ts';

const configFile = join(import.meta.dirname, '../web/vite.config.ts');

if (isInstalled('vite')) {
  const { build } = await import('vite');
  await build({ configFile, logLevel: process.argv.includes('--verbose') ? 'info' : 'warn' });
  await compressFiles(join(import.meta.dirname, '../dist/console'));
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
