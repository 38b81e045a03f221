import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from '../browser/chromium-program.js';
import { findPostgres } from './postgres-programs.js';

const NEEDED = [
  {
    name: 'redis-server (6.2 or newer)',
    isThere: () => isOnPath('redis-server'),
    apt: 'redis-server',
    brew: 'redis',
    others: 'dnf install redis (Fedora), apk add redis (Alpine)',
  },
  {
    name: 'PostgreSQL (14 or newer)',
    isThere: () => findPostgres() !== undefined,
    apt: 'postgresql',
    brew: 'postgresql@17',
    others: 'dnf install postgresql-server postgresql-contrib (Fedora), apk add postgresql postgresql-contrib (Alpine)',
  },
  {
    name: 'OpenSSL',
    isThere: () => isOnPath('openssl'),
    apt: 'openssl',
    brew: 'openssl',
    others: 'dnf install openssl (Fedora), apk add openssl (Alpine)',
  },
  {
    name: 'nginx',
    isThere: () => isOnPath('nginx'),
    apt: 'nginx',
    brew: 'nginx',
    others: 'dnf install nginx (Fedora), apk add nginx (Alpine)',
  },
  {
    name: 'HAProxy (2.4 or newer)',
    isThere: () => isOnPath('haproxy'),
    apt: 'haproxy',
    brew: 'haproxy',
    others: 'dnf install haproxy (Fedora), apk add haproxy (Alpine)',
  },
  {
    name: 'Chromium',
    isThere: () => findChromium() !== undefined,
    apt: 'chromium-headless-shell',
    brew: '--cask chromium',
    others: 'dnf install chromium (Fedora), apk add chromium (Alpine), or name a browser in CHROMIUM',
  },
  {
    name: 'kubectl (1.14 or newer)',
    isThere: () => isOnPath('kubectl'),
    apt: 'kubernetes-client',
    brew: 'kubernetes-cli',
    others: 'dnf install kubernetes-client (Fedora), apk add kubectl (Alpine)',
  },
];

/**
 * Checks that the servers and tools for the tests are installed. Tries to install missing ones, otherwise throws with
 * instructions.
 */
export default function requireServers() {
  for (const needed of NEEDED) {
    if (needed.isThere()) continue;
    const install = installers(needed).find(({ available }) => available);
    if (install !== undefined) {
      process.stderr.write(`${needed.name} is not installed: ${install.message}\n`);
      for (const [command, ...args] of install.commands) tryRun(command, args);
    }
    if (needed.isThere()) continue;
    throw new Error(
      `The tests need ${needed.name}, and it could not be installed. Install it: apt-get install ${needed.apt} ` +
        `(Debian, Ubuntu), ${needed.others}, brew install ${needed.brew} (macOS).`,
    );
  }
}

function installers({ apt, brew }) {
  const root = process.getuid?.() === 0;
  const sudo = root ? [] : ['sudo', '-n'];
  const aptGet = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  return [
    {
      available: isOnPath('apt-get') && (root || (isOnPath('sudo') && tryRun('sudo', ['-n', 'true']))),
      message: 'installing it with apt-get',
      commands: [
        [...aptGet, 'update'],
        [...aptGet, 'install', '-y', '--no-install-recommends', apt],
      ],
    },
    { available: isOnPath('brew'), message: 'installing it with brew', commands: [['brew', 'install', brew]] },
  ];
}

/** Debian installs servers where only root's PATH leads. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

function isOnPath(program) {
  return [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function tryRun(command, args) {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 300_000 });
    return true;
  } catch {
    return false;
  }
}
