import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { root } from '../gateway/gateway.ts';
import { runProgram } from '../gateway/process.ts';
import { until } from '../until.ts';
import type { RunServers } from './run-servers.ts';

/** A program that starts the servers like the global setup, and prints the message that it receives. */
const PARENT = `
  const program = require('node:child_process').fork(process.argv[1], { detached: true });
  program.once('message', (message) => console.log(JSON.stringify(message)));`;

test('the shared servers end with the run, even if it is killed', async () => {
  const program = join(root, 'test/support/servers/run-servers.ts');
  const run = runProgram(process.execPath, ['-e', PARENT, program], {});
  const [, folder = '', url = ''] = await run.waitForOutput(/"folder":"(.+)","url":"(.+)"/);
  const { port } = (await (await fetch(`${url}/redis`)).json()) as RunServers['redis'];
  const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: null }).on('error', () => {});
  await client.connect();
  expect(existsSync(folder)).toBe(true);

  run.child.kill('SIGKILL');
  await until(() => client.status === 'end' && !existsSync(folder));
});
