import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../gateway/gateway.ts';
import { tempFolder } from '../temp-folder.ts';
import { PREVIOUS_VERSION_FILE, unpackFiles } from './packed-files.ts';

/**
 * Unpacks the sources of the previous version. They run with the packages of this version.
 *
 * @returns the folder of the sources
 */
export function unpackPreviousVersion(): { readonly path: string; remove(): void } {
  const folder = tempFolder();
  unpackFiles(readFileSync(PREVIOUS_VERSION_FILE), folder.path);
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
  return folder;
}
