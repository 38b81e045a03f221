import { fork } from 'node:child_process';
import { once } from 'node:events';
import requireServers from '../servers/require-servers.js';

/**
 * Runs before the first test file. It checks that the required servers are installed, and starts the program that
 * creates the folder of the run and starts the shared servers.
 */
export default async function setUp() {
  requireServers();
  // The program is detached, so that Ctrl-C does not end it before it has stopped the servers.
  const program = fork(new URL('../servers/run-servers.ts', import.meta.url), { detached: true, execArgv: [] });
  const failed = once(program, 'exit').then(([code]) => Promise.reject(new Error(`run-servers ended with ${code}`)));
  const [{ folder, url }] = await Promise.race([once(program, 'message'), failed]);
  failed.catch(() => {});
  // The program runs as long as the tests, so it must not count as left open by a test file.
  program.unref();
  program.channel.unref();
  globalThis.runServers = program;
  process.env.TEST_RUN_FOLDER = folder;
  // Temporary files are in the folder of the run, which is deleted at the end.
  process.env.TMPDIR = folder;
  process.env.TEST_SERVERS = url;
}
