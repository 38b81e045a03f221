import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The tests need a real `redis-server`: finds one, else installs it where it may, else says what to do. */
export default function requireRedis() {
  if (isOnPath('redis-server')) return;
  const install = installers().find(({ available }) => available);
  if (install !== undefined) {
    process.stderr.write(`redis-server is not on the PATH: ${install.says}\n`);
    for (const [command, ...args] of install.commands) tryRun(command, args);
  }
  if (isOnPath('redis-server')) return;
  throw new Error(
    'The tests need redis-server (6.2 or newer) on the PATH, and it could not be installed. Install it: ' +
      'apt-get install redis-server (Debian, Ubuntu), dnf install redis (Fedora), apk add redis (Alpine), ' +
      'brew install redis (macOS).',
  );
}

function installers() {
  const root = process.getuid?.() === 0;
  const sudo = root ? [] : ['sudo', '-n'];
  const apt = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  return [
    {
      available: isOnPath('apt-get') && (root || (isOnPath('sudo') && tryRun('sudo', ['-n', 'true']))),
      says: 'installing it with apt-get',
      commands: [
        [...apt, 'update'],
        [...apt, 'install', '-y', '--no-install-recommends', 'redis-server'],
      ],
    },
    { available: isOnPath('brew'), says: 'installing it with brew', commands: [['brew', 'install', 'redis']] },
  ];
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
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
