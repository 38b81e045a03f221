import { fork } from 'node:child_process';
import { once } from 'node:events';
import requireServers from '../servers/require-servers.js';

/**
 * Runs before the first test file: checks the required servers, and starts the program that creates the run's folder
 * and starts its shared servers.
 */
export default async function setUp() {
  requireServers();
  // Detached, so that Ctrl-C does not end it before it has stopped the servers.
  const program = fork(new URL('../servers/run-servers.ts', import.meta.url), { detached: true, execArgv: [] });
  const failed = once(program, 'exit').then(([code]) => Promise.reject(new Error(`run-servers ended with ${code}`)));
  const [{ folder, url }] = await Promise.race([once(program, 'message'), failed]);
  failed.catch(() => {});
  // It runs as long as the tests, so it is nothing that a test file leaves open.
  program.unref();
  program.channel.unref();
  globalThis.runServers = program;
  process.env.TEST_RUN_FOLDER = folder;
  // What a test leaves behind is deleted with the folder.
  process.env.TMPDIR = folder;
  process.env.TEST_SERVERS = url;
}
