import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * Path of a program that the tests need. Tries to install a missing program, otherwise throws with instructions: a test
 * that cannot run must not pass.
 */
export function requireProgram(name: string): string {
  const found = find(name);
  if (found !== undefined) return found;
  const installers = [
    ['apt-get', 'install', '-y', '--no-install-recommends', name],
    ['sudo', '-n', 'apt-get', 'install', '-y', '--no-install-recommends', name],
    ['brew', 'install', name],
  ];
  for (const [command = '', ...args] of installers) {
    if (find(command) === undefined) continue;
    try {
      execFileSync(command, args, { stdio: 'ignore', timeout: 90_000 });
    } catch {
      continue;
    }
    const installed = find(name);
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `the tests need ${name}: install it (apt-get install ${name}, brew install ${name}) and run them again`,
  );
}

function find(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
