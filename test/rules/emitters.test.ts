import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeDocument } from '../fuzz/subject/documents.ts';
import { createEchoService, ECHO_PATHS } from '../fuzz/subject/echo-service.ts';
import { Subject } from '../fuzz/subject/subject.ts';
import { root } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { RawConnection } from '../support/raw.ts';
import { openSharedStorage, type SharedStorage } from '../support/fleet/shared-storage.ts';
import type { MissingListener } from './emitter-watch.ts';

/**
 * Every socket, stream or emitter that is stored or passed to other code has an `error` listener. Without one, a client
 * that resets its connection at the right moment ends the process. The rule is checked in a running gateway, because
 * the source does not show which listeners Node removes from a socket, as it does for CONNECT.
 */
const WATCH = join(root, 'test/rules/emitter-watch.ts');
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGVzdA==';

const service = createServer((req, res) => void createEchoService().handler(req, res));
let storage: SharedStorage;

beforeAll(async () => {
  service.on('upgrade', createEchoService().upgrade);
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  storage = await openSharedStorage();
});
afterAll(async () => {
  await storage.release();
  service.closeAllConnections();
  service.close();
});

async function startWatched(env: Record<string, string> = {}): Promise<Subject> {
  const port = (service.address() as AddressInfo).port;
  const upstream = (folder: string, name: string) => ({
    name,
    prefix: `/${name}`,
    openapi: writeDocument(folder, name, ECHO_PATHS),
  });
  const subject = new Subject({
    settings: (folder) => ({
      upstreams: [
        { ...upstream(folder, 'module'), module: join(root, 'test/fuzz/subject/echo-service.ts') },
        { ...upstream(folder, 'listening'), module: join(root, 'test/rules/listening-module.ts') },
        { ...upstream(folder, 'http'), targets: [`http://127.0.0.1:${port}`] },
      ],
    }),
    env,
    preload: WATCH,
  });
  await subject.start();
  return subject;
}

/** Sends each kind of request, and closes or resets each connection while the request is running. */
async function sendAllKinds(subject: Subject): Promise<void> {
  const url = `http://127.0.0.1:${subject.publicPort}`;
  const key = `Host: x\r\nX-API-Key: ${subject.keys[0]!.secret}`;
  const requests = ['module', 'http'].flatMap((over) => [
    `GET /${over}/slow/a HTTP/1.1\r\n${key}\r\n\r\n`,
    `GET /${over}/slow/a HTTP/1.1\r\n${key}\r\n\r\nGET /${over}/echo/b HTTP/1.1\r\n${key}\r\n\r\n`,
    `GET /${over}/large/a HTTP/1.1\r\n${key}\r\n\r\n`,
    `POST /${over}/echo/a HTTP/1.1\r\n${key}\r\nContent-Length: 5\r\n\r\nhello`,
    `POST /${over}/echo/a HTTP/1.1\r\n${key}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`,
    `GET /${over}/echo/a HTTP/1.1\r\n${key}\r\n${UPGRADE}\r\n\r\n`,
    `GET /${over}/slow/a HTTP/1.1\r\n${key}\r\n\r\nGET /${over}/echo/a HTTP/1.1\r\n${key}\r\n${UPGRADE}\r\n\r\n`,
  ]);
  requests.push('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 'nonsense\r\n\r\n', 'GET / HTTP/1.1\r\n', '');
  requests.push(`GET /module/slow/a HTTP/1.1\r\n${key}\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
  for (const request of requests) {
    for (const ending of ['end', 'resetAndDestroy'] as const) {
      const connection = new RawConnection(url).send(request);
      await sleep(40);
      connection.socket[ending]();
    }
  }
}

function missingListenersIn(child: ChildProcess): Promise<MissingListener[]> {
  return new Promise((resolve) => {
    child.on('message', function take({ missing }: { missing?: MissingListener[] }) {
      if (missing === undefined) return;
      child.off('message', take);
      resolve(missing);
    });
    child.send({ missing: true });
  });
}

test('every event emitter passed to a module has an error listener', async () => {
  const subject = await startWatched();
  try {
    const url = `http://127.0.0.1:${subject.publicPort}`;
    const head = `GET /listening/echo/a HTTP/1.1\r\nHost: x\r\nX-API-Key: ${subject.keys[0]!.secret}`;
    for (const [more, passed] of [
      ['', ['response', 'socket']],
      [`\r\n${UPGRADE}`, ['socket']],
    ] as const) {
      const connection = new RawConnection(url).send(`${head}${more}\r\n\r\n`);
      const listeners = JSON.parse((await connection.readResponse()).body) as Record<string, number>;
      connection.close();
      expect(Object.keys(listeners)).toEqual(passed);
      expect(Math.min(...Object.values(listeners))).toBeGreaterThan(0);
    }
  } finally {
    await subject.stop();
  }
});

test.each([
  ['embedded', () => ({})],
  ['Redis', () => ({ TOLLGATE_STORE: storage.locations.store })],
  ['PostgreSQL', () => ({ TOLLGATE_STORE: storage.locations.store, TOLLGATE_DATABASE: storage.locations.database })],
])('a gateway (%s) listens for errors of all its emitters', async (_, env) => {
  const subject = await startWatched(env());
  try {
    await sendAllKinds(subject);
    expect(await missingListenersIn(subject.child!)).toEqual([]);
  } finally {
    await subject.stop();
  }
});

test('the check finds a socket without a listener', async () => {
  const program = `const { Socket } = await import('node:net'); globalThis.kept = new Socket(); setInterval(() => {}, 9);`;
  const child = fork('-', { execArgv: ['--import', WATCH, '--input-type=module', '--eval', program] });
  try {
    let missing: MissingListener[] = [];
    await until(async () => (missing = await missingListenersIn(child)).length > 0);
    expect(missing).toEqual([expect.objectContaining({ kind: 'Socket' })]);
  } finally {
    child.kill('SIGKILL');
  }
});
