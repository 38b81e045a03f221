import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The folders where Debian, Homebrew and Fedora install the server. They are not on the PATH. */
const FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr/pgsql'];

/** Finds the folder of the newest `initdb` and `postgres`. Undefined if none is installed. */
export function findPostgres() {
  const versioned = FOLDERS.flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((name) => /^(postgresql(@\d+)?|\d+)$/.test(name))
        .sort((a, b) => Number(b.replace(/\D/g, '')) - Number(a.replace(/\D/g, '')))
        .map((name) => join(folder, name, 'bin'));
    } catch {
      return [];
    }
  });
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...versioned, ...onPath].find((folder) => ['initdb', 'postgres'].every((name) => isProgram(folder, name)));
}

/** The user who runs PostgreSQL, because it refuses to run as root. Empty if this process is not root. */
export function postgresUser() {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(user?.[2]), gid: Number(user?.[3]) };
}

function isProgram(folder, name) {
  try {
    accessSync(join(folder, name), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
