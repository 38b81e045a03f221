import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The maximum time for a command of a package manager. */
const INSTALL_MS = 300_000;
/** Folders where Debian installs servers. They are on the PATH of root only. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/**
 * Installs the programs that are missing, with apt-get (as root or with passwordless sudo) or brew.
 *
 * @param {readonly {
 *   name: string, isThere: () => boolean, apt: string, brew?: string, others: string
 * }[]} programs `apt` and `brew` are package names; `others` says how to install the program elsewhere
 * @throws if a program is still missing, with instructions
 */
export function installPrograms(programs) {
  for (const program of programs) {
    if (program.isThere()) continue;
    const install = installers(program).find(({ available }) => available);
    if (install !== undefined) {
      process.stderr.write(`${program.name} is not installed: ${install.message}\n`);
      for (const [command, ...args] of install.commands) tryRun(command, args);
    }
    if (program.isThere()) continue;
    const brew = program.brew === undefined ? '' : `, brew install ${program.brew} (macOS)`;
    throw new Error(
      `The tests need ${program.name}, and it could not be installed. Install it: apt-get install ${program.apt} ` +
        `(Debian, Ubuntu), ${program.others}${brew}.`,
    );
  }
}

/**
 * The words to put before a command that needs root: none for root, otherwise `sudo`. Undefined if sudo would ask for a
 * password.
 */
export function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return isOnPath('sudo') && tryRun('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

export function isOnPath(program) {
  return findOnPath(program) !== undefined;
}

export function findOnPath(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS];
  return folders
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function installers({ apt, brew }) {
  const prefix = isOnPath('apt-get') ? rootPrefix() : undefined;
  const aptGet = [...(prefix ?? []), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  return [
    {
      available: prefix !== undefined,
      message: 'installing it with apt-get',
      commands: [
        [...aptGet, 'update'],
        [...aptGet, 'install', '-y', '--no-install-recommends', apt],
      ],
    },
    {
      available: brew !== undefined && isOnPath('brew'),
      message: 'installing it with brew',
      commands: [['brew', 'install', brew]],
    },
  ];
}

function tryRun(command, args) {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: INSTALL_MS });
    return true;
  } catch {
    return false;
  }
}
