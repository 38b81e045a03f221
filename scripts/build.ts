/**
 * Builds into `dist/`: what browsers load, and the gateway in few files, which starts sooner. npm runs it after an
 * installation (`prepare`); where Vite is not installed, as after `npm ci --omit=dev`, it does nothing but say so; nor
 * after `--omit=optional`, which leaves out Vite's program for this machine. The gateway runs without what it builds.
 */
import type * as Vite from 'vite';
import { SITES, siteConfig, siteFolder } from '../web/sites.ts';
import { gatewayConfig } from './build/gateway-config.ts';
import { compressFiles } from './web/compress.ts';

const logLevel = process.argv.includes('--verbose') ? 'info' : 'warn';
const vite = await loadVite();
if (vite !== null) {
  for (const site of SITES) {
    await vite.build({ ...siteConfig(site), logLevel });
    await compressFiles(siteFolder(site));
  }
  await vite.build({ ...gatewayConfig(), logLevel });
}

async function loadVite(): Promise<typeof Vite | null> {
  if (!isInstalled('vite')) {
    process.stderr.write('Nothing is built, as Vite is not installed (npm ci without --omit=dev)\n');
    return null;
  }
  try {
    return await import('vite');
  } catch (error) {
    const reason = String(error).split('\n', 1)[0];
    process.stderr.write(`Nothing is built, as Vite cannot be loaded (npm ci without --omit=optional): ${reason}\n`);
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
