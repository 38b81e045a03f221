/**
 * Under constant load, the address of a target, its certificate, and the gateway's client certificate are replaced.
 * Without an age limit, busy connections would use the old ones for as long as the load lasts.
 */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { HostNames, targetNames } from '../../../../src/base/host-names.ts';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { TestAuthority, type TestCertificate } from '../../../support/servers/certificates.ts';
import { startStopwatch } from '../../../support/stopwatch.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

const CALLERS = 8;
const MAX_AGE_MS = 1000;
/** The interval at which the gateway reads the files of a certificate. */
const CERTIFICATE_CHECK_MS = 5000;
/**
 * Time for requests, timers and connections on a busy machine. It does not hide a missing age limit, without which
 * connections would never be replaced.
 */
const SLACK_MS = 30_000;

interface Call {
  readonly status: number;
  /** The address that served the call, the number of its connection, and the name in the client certificate. */
  readonly address: string;
  readonly connection: number;
  readonly client: string;
}

const folder = tempFolder();
const files = { cert: join(folder.path, 'live.pem'), key: join(folder.path, 'live-key.pem') };
let own: [TestCertificate, TestCertificate];
let clients: [TestCertificate, TestCertificate];
let servers: Server[];
let gateway: TestGateway;
let address: string;
let connections: number;
let resumed: number;
let calls: Call[];
let over: AbortController;
let callers: Promise<unknown>;

const read = ({ cert, key }: TestCertificate) => ({ cert: readFileSync(cert), key: readFileSync(key) });

function useClientCertificate(from: TestCertificate): void {
  copyFileSync(from.key, files.key);
  copyFileSync(from.cert, files.cert);
}

/** Starts a service that requires a client certificate, and that keeps connections for longer than the test lasts. */
async function serve(host: string, port: number, ca: Buffer): Promise<number> {
  const server = createServer(
    { ...read(own[0]), ca, requestCert: true, rejectUnauthorized: true, keepAlive: true },
    (req, res) => {
      const socket = req.socket as TLSSocket & { number: number };
      const [client, connection] = [socket.getPeerCertificate().subject.CN, socket.number];
      res.end(JSON.stringify({ address: host, connection, client }));
    },
  );
  server.keepAliveTimeout = 600_000;
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) resumed++;
    Object.assign(socket, { number: connections++ });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  const authority = new TestAuthority(folder.path);
  own = [authority.issue('service'), authority.issue('renewed')];
  clients = [authority.issue('first'), authority.issue('second')];
  [servers, calls, connections, resumed, address] = [[], [], 0, 0, '127.0.0.1'];
  over = new AbortController();
  const ca = readFileSync(authority.cert);
  const port = await serve('127.0.0.1', 0, ca);
  await serve('127.0.0.2', port, ca);
  const names = new HostNames(() => Promise.resolve([{ address, family: 4 }]));
  jest.spyOn(targetNames, 'lookup').mockImplementation(names.lookup);
  useClientCertificate(clients[0]);
  gateway = await startGatewayWithUpstreams([
    {
      ...contractTarget(`https://localhost:${port}`),
      tls: { ca: authority.cert, ...files },
      maxConnectionAge: `${MAX_AGE_MS}ms`,
    },
  ]);
  callers = Promise.all(Array.from({ length: CALLERS }, callWithoutPause));
});
afterEach(async () => {
  over.abort();
  await callers;
  await gateway.stop();
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  jest.restoreAllMocks();
  folder.remove();
});

async function callWithoutPause(): Promise<void> {
  while (!over.signal.aborted) {
    // A POST is never repeated.
    const response = await gateway.call('/echo', { method: 'POST' });
    calls.push({ status: response.status, ...((await response.json()) as Omit<Call, 'status'>) });
  }
}

/**
 * Waits until no call has used the old address or certificate for a while.
 *
 * @param isOld returns true if a call used the old one
 * @param withinMs the limit for the last such call
 * @returns the time between the first and the last replaced connection, in ms
 */
async function expectReplaced(isOld: (call: Call) => boolean, withinMs: number): Promise<number> {
  const stopwatch = startStopwatch();
  const from = calls.length;
  let seen = from;
  let lastOldMs = 0;
  /** The time of the first call over each new connection, in ms. */
  const replacedMs = new Map<number, number>();
  const before = connections;
  await until(() => {
    for (const call of calls.slice(seen)) {
      if (isOld(call)) lastOldMs = stopwatch.ms;
      else if (call.connection >= before && !replacedMs.has(call.connection)) {
        replacedMs.set(call.connection, stopwatch.ms);
      }
    }
    seen = calls.length;
    return replacedMs.size > 0 && stopwatch.ms > lastOldMs + MAX_AGE_MS;
  });
  expect(lastOldMs).toBeLessThan(withinMs + SLACK_MS);
  expect(new Set(calls.slice(from).map(({ status }) => status))).toEqual(new Set([200]));
  stopwatch.stop();
  const times = [...replacedMs.values()].slice(0, CALLERS);
  return Math.max(...times) - Math.min(...times);
}

test('under load, a replaced address or certificate is in use within maxConnectionAge, and no call fails', async () => {
  await until(() => calls.length > 50);
  address = '127.0.0.2';
  const spreads = [await expectReplaced((call) => call.address === '127.0.0.1', MAX_AGE_MS)];

  for (const server of servers)
    server.setSecureContext({ ...read(own[1]), ca: readFileSync(join(folder.path, 'authority.pem')) });
  const renewedFrom = connections;
  spreads.push(await expectReplaced((call) => call.connection < renewedFrom, MAX_AGE_MS));
  // No session may be resumed, because it would keep the certificates with which it began.
  expect(resumed).toBe(0);

  useClientCertificate(clients[1]);
  spreads.push(await expectReplaced((call) => call.client === 'first', CERTIFICATE_CHECK_MS + MAX_AGE_MS));
  // The age limits of connections that were opened together differ by up to a quarter. If the machine stalls, they may
  // once end together.
  expect(Math.max(...spreads)).toBeGreaterThan(MAX_AGE_MS / 40);
  expect(calls.length).toBeGreaterThan(100);
});
