/**
 * Builds what browsers load, into `dist/`. npm runs it after an installation (`prepare`); where Vite is not installed,
 * as after `npm ci --omit=dev`, it does nothing.
 */
import { SITES, siteConfig } from '../web/sites.ts';

if (isInstalled('vite')) {
  const { build } = await import('vite');
  const logLevel = process.argv.includes('--verbose') ? 'info' : 'warn';
  for (const site of SITES) await build({ ...siteConfig(site), logLevel });
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
