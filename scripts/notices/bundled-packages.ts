import { join, resolve } from 'node:path';
import type { Rolldown } from 'vite';

const MODULES = join(import.meta.dirname, '../../node_modules');
/** A path up to the name of the package after the last `node_modules`. The name may have a scope. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const STYLES = /\.css(?:\?|$)/;
/** Code that the bundler and Vite add themselves. */
const ADDED_BY: Readonly<Record<string, string>> = { '\0rolldown/': 'rolldown', '\0vite/': 'vite' };

/**
 * @param root the folder of the site's sources
 * @returns the folders of the packages whose code, styles, fonts or icons Vite has bundled into a site
 */
export function bundledPackages({ output }: Rolldown.RolldownOutput, root: string): string[] {
  const folders = output
    .flatMap((file) => (file.type === 'chunk' ? listModules(file) : listAssets(file, root)))
    .map(findPackageFolder);
  return [...new Set(folders.filter((folder) => folder !== null))];
}

/** Modules that have code left in the bundle. Tree shaking may leave only part of a module, or nothing. */
function listModules({ modules }: Rolldown.OutputChunk): string[] {
  return Object.entries(modules).flatMap(([id, { renderedLength }]) =>
    renderedLength > 0 || STYLES.test(id) ? [id] : [],
  );
}

function listAssets({ originalFileNames }: Rolldown.OutputAsset, root: string): string[] {
  return originalFileNames.map((name) => resolve(root, name));
}

/** The folder of the package that a module belongs to; null for a file of our own. */
function findPackageFolder(id: string): string | null {
  if (!id.startsWith('\0')) return PACKAGE_FOLDER.exec(id)?.[0] ?? null;
  const [, name] = Object.entries(ADDED_BY).find(([prefix]) => id.startsWith(prefix)) ?? [];
  if (name === undefined) throw new Error(`${JSON.stringify(id)} is bundled: say whose code that is in ADDED_BY`);
  return join(MODULES, name);
}
