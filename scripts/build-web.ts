/**
 * Builds what browsers load, into `dist/`. npm runs it after an installation (`prepare`); where Vite is not installed,
 * as after `npm ci --omit=dev`, it does nothing; nor after `--omit=optional`, which leaves out Vite's program for this
 * machine. The gateway runs without, and says so.
 */
import { join } from 'node:path';
import type * as Vite from 'vite';
import { compressFiles } from './web/compress.ts';

const configFile = join(import.meta.dirname, '../web/vite.config.ts');

const vite = isInstalled('vite') ? await loadVite() : null;
if (vite !== null) {
  await vite.build({ configFile, logLevel: process.argv.includes('--verbose') ? 'info' : 'warn' });
  await compressFiles(join(import.meta.dirname, '../dist/console'));
}

async function loadVite(): Promise<typeof Vite | null> {
  try {
    return await import('vite');
  } catch (error) {
    const reason = String(error).split('\n', 1)[0];
    process.stderr.write(
      `The console is not built, as Vite cannot be loaded (npm ci without --omit=optional): ${reason}\n`,
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
