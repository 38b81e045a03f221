import { join, resolve } from 'node:path';
import type { Rolldown } from 'vite';

const MODULES_FOLDER = join(import.meta.dirname, '../../node_modules');
/** Matches a path up to the name of the package after the last `node_modules`. The name may have a scope. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const STYLES_FILE = /\.css(?:\?|$)/;
/** Rolldown and Vite add modules of their own. Maps the prefix of such a module's id to the package it comes from. */
const ADDED_BY: Readonly<Record<string, string>> = { '\0rolldown/': 'rolldown', '\0vite/': 'vite' };

/**
 * @param root the folder of the site's sources
 * @returns the folders of the packages whose code, styles, fonts or icons Vite has bundled into a site
 */
export function listBundledPackages({ output }: Rolldown.RolldownOutput, root: string): string[] {
  const folders = output
    .flatMap((file) => (file.type === 'chunk' ? listModules(file) : listAssets(file, root)))
    .map(findPackageFolder);
  return [...new Set(folders.filter((folder) => folder !== null))];
}

/** Lists the modules with code in the bundle. Tree shaking may have removed all code of a module. */
function listModules({ modules }: Rolldown.OutputChunk): string[] {
  return Object.entries(modules).flatMap(([id, { renderedLength }]) =>
    renderedLength > 0 || STYLES_FILE.test(id) ? [id] : [],
  );
}

function listAssets({ originalFileNames }: Rolldown.OutputAsset, root: string): string[] {
  return originalFileNames.map((name) => resolve(root, name));
}

/** Finds the folder of the package that a module belongs to; null for our own files. */
function findPackageFolder(id: string): string | null {
  if (!id.startsWith('\0')) return PACKAGE_FOLDER.exec(id)?.[0] ?? null;
  const [, name] = Object.entries(ADDED_BY).find(([prefix]) => id.startsWith(prefix)) ?? [];
  if (name === undefined) throw new Error(`${JSON.stringify(id)} is bundled: say whose code that is in ADDED_BY`);
  return join(MODULES_FOLDER, name);
}
