import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../support/gateway/gateway.ts';
import { inheritedEnvironment } from '../../support/gateway/process.ts';
import { freePorts } from '../../support/servers/redis-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until, WAIT_LIMIT_MS } from '../../support/until.ts';

// If the log's disk is full or its pipe is closed, traffic must continue, and every shutdown needs a time limit. The
// destination once had no `error` listener, so its error was uncaught. The gateway drained, closed its listeners, and
// waited for minutes for a flush that never ended, while it ignored SIGTERM.

let folder: ReturnType<typeof tempFolder>;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  child?.kill('SIGKILL');
  folder.remove();
});

interface Addresses {
  readonly url: string;
  readonly adminUrl: string;
}

/**
 * Starts a gateway that logs to `stdout`. Polls the gateway until it is ready, because it may be unable to log that.
 */
async function start(stdout: number | 'pipe', env: Record<string, string> = {}): Promise<Addresses> {
  const stdio: StdioOptions = ['ignore', stdout, 'ignore'];
  return startProgram(process.execPath, [join(root, 'src/main.ts')], stdio, env);
}

async function startProgram(program: string, args: string[], stdio: StdioOptions, env: Record<string, string> = {}) {
  const [port, adminPort] = await freePorts(2);
  const own = {
    ...inheritedEnvironment(),
    TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'),
    TOLLGATE_DATA_DIR: folder.path,
    TOLLGATE_PORT: String(port),
    TOLLGATE_ADMIN_PORT: String(adminPort),
    TOLLGATE_PORTAL_PORT: '0',
  };
  child = spawn(program, args, { cwd: root, env: { ...own, ...env }, stdio });
  const addresses = { url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` };
  await until(async () => child?.exitCode !== null || (await isReady(addresses)));
  if (child.exitCode === null) return addresses;
  throw new Error(`the gateway did not start (${child.exitCode})`);
}

async function isReady({ adminUrl }: Addresses): Promise<boolean> {
  const response = await fetch(`${adminUrl}/readyz`).catch(() => null);
  return response?.status === 200;
}

/** Sends requests with a long path, which is logged. A few of them fill a pipe, and 150 fill the gateway's buffer. */
async function request({ url }: Addresses, times: number): Promise<void> {
  for (let count = 0; count < times; count += 10) {
    const responses = await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/${'x'.repeat(15_000)}`)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from(responses, () => 401));
    await Promise.all(responses.map((response) => response.text()));
  }
}

async function readDropped({ adminUrl }: Addresses): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^tollgate_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
}

/** Ends the gateway with a signal. Returns its exit code, or the signal that ended it. */
async function endWith(signal: NodeJS.Signals): Promise<number | string | null> {
  const ended = once(child!, 'exit');
  child!.kill(signal);
  const [code, by] = (await Promise.race([ended, sleep(WAIT_LIMIT_MS, ['still running', null], { ref: false })])) as [
    number | string | null,
    string | null,
  ];
  return code ?? by;
}

function makePipe(): { readonly fd: number; close(): void; read(): string } {
  const path = join(folder.path, 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const chunk = Buffer.alloc(65_536);
  return {
    fd,
    close: () => closeSync(fd),
    read() {
      try {
        return chunk.toString('utf8', 0, readSync(fd, chunk));
      } catch {
        return '';
      }
    },
  };
}

test('on a full disk, traffic continues, lines are dropped and counted, and SIGTERM stops the gateway', async () => {
  const fd = openSync('/dev/full', 'w');
  const gateway = await start(fd);
  closeSync(fd);
  await request(gateway, 150);
  expect(await readDropped(gateway)).toBeGreaterThan(10);
  expect(await endWith('SIGTERM')).toBe(0);
});

test('if nobody reads the pipe, traffic continues, and a later reader gets the buffered lines and the number of dropped ones', async () => {
  const pipe = makePipe();
  const gateway = await start(pipe.fd);
  await request(gateway, 150);
  const dropped = await readDropped(gateway);
  expect(dropped).toBeGreaterThan(10);
  let text = '';
  await until(() => (text += pipe.read()).includes('were dropped'));
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 40, dropped });
  await request(gateway, 20);
  expect(await endWith('SIGTERM')).toBe(0);
  expect(pipe.read()).toContain('"msg":"response"');
  pipe.close();
});

test('a full pipe does not block a drain', async () => {
  const pipe = makePipe();
  const gateway = await start(pipe.fd);
  await request(gateway, 20);
  expect(await endWith('SIGTERM')).toBe(0);
  pipe.close();
});

test('a closed pipe is handled like a full disk', async () => {
  const gateway = await start('pipe');
  child!.stdout!.destroy();
  await request(gateway, 150);
  expect(await readDropped(gateway)).toBeGreaterThan(10);
  expect(await endWith('SIGTERM')).toBe(0);
});

describe('uncaught error', () => {
  /** Writes a configuration with a module that throws outside of any request. */
  const config = () => {
    const file = join(folder.path, 'gateway.yaml');
    const module = join(folder.path, 'failing.js');
    const text = [
      `plans: ${root}/config/plans.yaml`,
      `upstreams: [{ name: a, openapi: ${root}/config/petstore.openapi.yaml, module: ${module} }]`,
      'drain: { deadline: 500ms }',
    ];
    execFileSync('tee', [file], { input: text.join('\n'), stdio: ['pipe', 'ignore', 'ignore'] });
    const code = `export default { create: () => ({
      handler: () => {},
      close: () => {},
      fails: process.on('SIGUSR2', () => setTimeout(() => { throw new Error('unforeseen'); })),
    }) };`;
    execFileSync('tee', [module], { input: code, stdio: ['pipe', 'ignore', 'ignore'] });
    return { TOLLGATE_CONFIG: file };
  };

  test('ends the process even if the log cannot be written', async () => {
    const pipe = makePipe();
    const gateway = await start(pipe.fd, config());
    await request(gateway, 20);
    expect(await endWith('SIGUSR2')).toBe(1);
    pipe.close();
  });
});

test('a stopped terminal, as after Ctrl-S, blocks neither traffic nor the exit of the process', async () => {
  const pid = join(folder.path, 'pid');
  const inTerminal = `echo $$ > ${pid}; exec ${process.execPath} ${join(root, 'src/main.ts')}`;
  // `script` creates a terminal and copies its output to a pipe that nobody reads, so both the terminal and the pipe
  // stop accepting output.
  const pipe = makePipe();
  const gateway = await startProgram('script', ['-qec', inTerminal, '/dev/null'], ['ignore', pipe.fd, 'ignore']);
  await request(gateway, 150);
  expect(await readDropped(gateway)).toBeGreaterThan(10);
  const gatewayPid = Number(readFileSync(pid, 'utf8'));
  process.kill(gatewayPid, 'SIGTERM');
  await until(() => !existsSync(`/proc/${gatewayPid}/fd/1`));
  pipe.close();
});
