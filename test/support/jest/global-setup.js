import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { postgresUser } from '../servers/postgres-programs.js';
import requireServers from '../servers/require-servers.js';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Before the first test file: the servers are there, and a folder for what test files share. */
export default function setUp() {
  requireServers();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  process.env.TEST_RUN_FOLDER = folder;
  // Most of what a gateway does when it starts is to compile, and the tests start it some two hundred times.
  process.env.NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
}
