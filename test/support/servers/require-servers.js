import { findChromium } from '../browser/chromium-program.js';
import { installPrograms, isOnPath } from './install-programs.js';
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
 * Checks that the servers and tools for the tests are installed. Tries to install missing ones. If that fails, it
 * throws with instructions.
 */
export default function requireServers() {
  installPrograms(NEEDED);
}
