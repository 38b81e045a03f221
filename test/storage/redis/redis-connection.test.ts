import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { serverNames } from '../../../src/base/host-names.ts';
import { connectRedis, type RedisConnection } from '../../../src/storage/redis/redis-connection.ts';
import { explainRedisError } from '../../../src/storage/redis/redis-failure.ts';
import { checkServer } from '../../../src/storage/redis/server-checks.ts';
import { captureLog } from '../../support/log-lines.ts';
import { until } from '../../support/until.ts';
import { startCluster } from '../../support/servers/redis-cluster.ts';
import { RedisServer, type RedisServerOptions } from '../../support/servers/redis-server.ts';

const toClose: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});

async function startServer(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await RedisServer.start(options);
  toClose.push(() => server.stop());
  return server;
}

function connect(url: string): RedisConnection & ReturnType<typeof captureLog> {
  const log = captureLog();
  const connection = connectRedis({ url, purpose: 'test', logger: log.logger });
  toClose.push(() => connection.close());
  return { ...connection, ...log };
}

const messages = (lines: Record<string, unknown>[]) => lines.map(({ msg }) => msg);

describe('a gateway connects', () => {
  test('with a password that it never logs', async () => {
    const server = await startServer({ password: 'open-sesame' });
    const { client, ready, lines, text } = connect(server.url);
    expect(await ready(2000)).toBe(true);
    expect(await client.ping()).toBe('PONG');
    expect(lines).toMatchObject([{ connection: 'test', redis: `127.0.0.1:${server.port}`, msg: 'connected to Redis' }]);
    expect(text()).not.toContain('open-sesame');
  });

  test('without blocking a thread while the host name is resolved', async () => {
    const server = await startServer();
    const lookup = jest.spyOn(serverNames, 'lookup');
    const { client, ready } = connect(`redis://localhost:${server.port}`);
    expect(await ready(2000)).toBe(true);
    expect(await client.ping()).toBe('PONG');
    expect(lookup).toHaveBeenCalledWith('localhost', expect.anything(), expect.any(Function));
    lookup.mockRestore();
  });

  test('with TLS, and only to a server with a trusted certificate', async () => {
    const server = await startServer({ tls: true });
    const stranger = connect(server.url);
    expect(await stranger.ready(300)).toBe(false);
    expect(stranger.text()).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    stranger.close();

    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, readFileSync(server.certificate, 'utf8')]);
    toClose.push(() => setDefaultCACertificates(trusted));
    const { client, ready } = connect(server.url);
    expect(await ready(2000)).toBe(true);
    expect(await client.ping()).toBe('PONG');
  });

  test('to a cluster', async () => {
    const cluster = await startCluster();
    toClose.push(() => cluster.stop());
    const { client, ready } = connect(cluster.url);
    expect(await ready(5000)).toBe(true);
    for (let i = 0; i < 20; i++) await client.set(`key ${i}`, i);
    const sizes = await Promise.all(cluster.nodes.map((node) => node.client.dbsize()));
    expect(sizes.every((size) => size > 0)).toBe(true);
  });
});

describe('the start and the end of each failure are logged once, with', () => {
  test('a server that stops and returns', async () => {
    const server = await startServer();
    const { client, ready, lines } = connect(server.url);
    await ready(2000);
    await server.kill();
    await until(() => lines.length === 2);
    await expect(client.ping()).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await server.start();
    expect(await ready(2000)).toBe(true);
    expect(messages(lines)).toEqual(['connected to Redis', 'Redis is unavailable; retrying', 'connected to Redis']);
  });

  test('a wrong password', async () => {
    const server = await startServer({ password: 'right' });
    const { ready, lines, text } = connect(server.url.replace('right', 'wrong-one'));
    expect(await ready(1000)).toBe(false);
    expect(lines).toMatchObject([{ failure: 'refused', level: 40 }]);
    expect(text()).not.toContain('wrong-one');
  });

  test('a server that accepts and closes connections', async () => {
    const listener: Server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    toClose.push(() => void listener.close());
    const { ready, lines } = connect(`redis://127.0.0.1:${(listener.address() as AddressInfo).port}`);
    expect(await ready(1000)).toBe(false);
    expect(lines).toMatchObject([{ failure: 'unreachable' }]);
  });
});

test('the cause of each kind of error is explained', () => {
  const reply = (message: string) => explainRedisError(Object.assign(new Error(message), { name: 'ReplyError' })).kind;
  expect(reply('WRONGPASS invalid username-password pair')).toBe('refused');
  expect(reply("READONLY You can't write against a read only replica. script: 8a0b, on @user_script:1.")).toBe(
    'read_only',
  );
  expect(reply("OOM command not allowed when used memory > 'maxmemory'.")).toBe('out_of_memory');
  expect(
    reply('WRONGTYPE Operation against a key holding the wrong kind of value script: 1f, on @user_script:4.'),
  ).toBe('bad_data');
  expect(reply('ERR user_script:9: Bad data format in input. script: 1f, on @user_script:9.')).toBe('bad_data');
  expect(reply('ERR unknown command')).toBe('other');
  expect(explainRedisError(new Error('Command timed out')).kind).toBe('timeout');
  expect(explainRedisError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }))).toEqual({
    kind: 'unreachable',
    reason: 'Redis cannot be reached (ECONNREFUSED connect)',
  });
});

describe('the checks of a Redis server at the start', () => {
  async function readWarnings(options: RedisServerOptions): Promise<string> {
    const server = await startServer(options);
    return (await checkServer(server.client)).join('\n');
  }

  test('report nothing for a properly configured server', async () => {
    expect(await readWarnings({ appendOnly: true, settings: { maxmemory: '100mb' } })).toBe('');
  });

  test('warn about a server that evicts keys', async () => {
    const settings = { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' };
    expect(await readWarnings({ appendOnly: true, settings })).toMatch(/^Redis evicts keys .*allkeys-lru.*noeviction$/);
  });

  test('warn about a server without persistence, or with snapshots only', async () => {
    expect(await readWarnings({})).toMatch(/^Redis stores nothing on disk/);
    expect(await readWarnings({ settings: { save: '3600 1' } })).toMatch(/^Redis stores only snapshots/);
  });

  test('warn about a replica', async () => {
    const primary = await startServer();
    expect(await readWarnings({ replicaOf: primary, appendOnly: true })).toMatch(/^Redis is a replica/);
  });

  test('refuse a version that is too old', async () => {
    const info = () => Promise.resolve('redis_version:6.0.16\r\n');
    await expect(checkServer({ info } as never)).rejects.toThrow('Redis 6.0.16 is too old');
  });
});

/**
 * Redis in protected mode sends this error to clients on other machines and closes the connection. The client used to
 * write 292 raw lines to standard error in a minute, and our log reported EPIPE. After the first fix, it still did if
 * Redis had closed before the handshake began (its second write failed, so nothing more was read), or closed without
 * reading the handshake (the reset was reported, and not the error before it).
 */
describe('the error of Redis in protected mode is logged once, and nothing is written to standard error, if Redis closed', () => {
  const denial =
    '-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the ' +
    'default user. In this mode connections are only accepted from the loopback interface. If you want to ' +
    'connect from external computers to Redis you may adopt one of the following solutions: 1) Just disable\r\n';

  test('before the client has sent anything', async () => {
    // The server runs in another thread, because this thread connects, and must wait for the close before it sends
    // anything.
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(
      `const { createServer } = require('node:net');
      const { parentPort, workerData } = require('node:worker_threads');
      const server = createServer((socket) => {
        socket.on('error', () => {}).on('close', () => {
          Atomics.store(workerData.closed, 0, 1);
          Atomics.notify(workerData.closed, 0);
        });
        socket.write(workerData.denial);
        socket.destroySoon();
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: { closed, denial } },
    );
    toClose.push(() => void worker.terminate());
    const [port] = (await once(worker, 'message')) as [number];
    const waitForClose = (message: unknown) =>
      (message as { socket: Socket }).socket.once('connect', () => {
        Atomics.wait(closed, 0, 0, 1000);
        Atomics.store(closed, 0, 0);
      });
    subscribe('net.client.socket', waitForClose);
    toClose.push(() => void unsubscribe('net.client.socket', waitForClose));
    await expectDenialIn(port);
  });

  test('with the handshake unread', async () => {
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      socket.on('error', () => {});
      setTimeout(() => socket.write(denial, () => socket.resetAndDestroy()), 20);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    toClose.push(() => void server.close());
    await expectDenialIn((server.address() as AddressInfo).port);
  });

  async function expectDenialIn(port: number): Promise<void> {
    const written = jest.spyOn(console, 'warn').mockImplementation(() => {});
    toClose.push(() => written.mockRestore());
    const { lines, ready } = connect(`redis://:open-sesame@127.0.0.1:${port}`);
    expect(await ready(1500)).toBe(false);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'Redis is unavailable; retrying',
        reason: expect.stringMatching(/\(DENIED Redis is running in protected mode\)$/),
      }),
    ]);
    expect(written).not.toHaveBeenCalled();
  }
});
