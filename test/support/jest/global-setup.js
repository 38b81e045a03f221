import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowserServer } from '../browser/browser-server.js';
import { postgresUser } from '../servers/postgres-programs.js';
import requireServers from '../servers/require-servers.js';

/** Before the first test file: the servers are there, a folder for what test files share, and a browser. */
export default async function setUp({ testPathPatterns: { patterns } }) {
  requireServers();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  process.env.TEST_RUN_FOLDER = folder;
  // Most of what a gateway does when it starts is to compile, and the tests start it some two hundred times.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  if (patterns.length === 0 || patterns.some((pattern) => pattern.includes('console'))) {
    globalThis.browserServer = await startBrowserServer();
    process.env.TEST_BROWSER = globalThis.browserServer.wsEndpoint();
  }
}
