import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowserServer } from '../browser/browser-server.js';
import { postgresUser } from '../servers/postgres-programs.js';
import requireServers from '../servers/require-servers.js';

/**
 * Runs before the first test file: checks the required servers, creates the run's shared folder and starts the browser.
 */
export default async function setUp({ testPathPatterns: { patterns } }) {
  requireServers();
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  process.env.TEST_RUN_FOLDER = folder;
  if (patterns.length === 0 || patterns.some((pattern) => pattern.includes('console'))) {
    globalThis.browserServer = await startBrowserServer();
    process.env.TEST_BROWSER = globalThis.browserServer.wsEndpoint();
  }
}
