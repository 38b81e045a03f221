import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresUser } from '../servers/postgres-programs.js';
import requireServers from '../servers/require-servers.js';

/** Before the first test file: the servers are there, and a folder for what test files share. */
export default function setUp() {
  requireServers();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  process.env.TEST_RUN_FOLDER = folder;
}
