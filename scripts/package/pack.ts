import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { writePackage } from './package-files.ts';

/**
 * Writes the files of the package to a folder, and has npm pack them.
 *
 * @param folder is emptied first
 * @param destination the folder of the packed file
 * @returns the path of the packed file
 */
export function makePackage(folder: string, destination: string): string {
  writePackage(folder);
  const args = ['pack', folder, '--pack-destination', destination, '--silent', '--json=false'];
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
  return resolve(destination, name);
}
