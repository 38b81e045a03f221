import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'undici';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';

const CLIENTS = 8;
/** The number of requests between two reloads. */
const BETWEEN = 20;

const services: HttpService[] = [];
let connections = 0;
let gateway: ReloadingGateway;
let pool: Pool;

beforeAll(async () => {
  for (const name of ['one', 'two']) {
    const service = await serveHttp((_req, res) => res.end(name));
    // The service must not close connections, so that only the gateway does.
    service.server.keepAliveTimeout = 600_000;
    service.server.on('connection', (socket) => {
      connections++;
      socket.once('close', () => connections--);
    });
    services.push(service);
  }
  gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 10_000_000, day: 10_000_000 }));
    write('service.yaml', createDocument({ now: {} }));
    return { settings: createSettings(0), env: { OPERATOR_TOKEN: 'an-operator-0123456789abcdef0123456789' } };
  });
  pool = new Pool(gateway.url, { connections: CLIENTS });
});
afterAll(async () => {
  await pool.close();
  await gateway.stop();
  await Promise.all(services.map((service) => service.close()));
});

function createSettings(round: number): Record<string, unknown> {
  const service = services[round % 2] as HttpService;
  const upstream = { name: 'service', openapi: 'service.yaml', targets: [service.url], maxConnections: 10 + round };
  return {
    plans: 'plans.yaml',
    // The test keeps the log lines in memory, where their growing number would look like a leak.
    logLevel: 'error',
    upstreams: [upstream],
    cors: { origins: [`https://app-${round}.example.com`] },
    guard: { failedAttempts: 10 + round },
    rateLimitHeaders: round % 3 === 0 ? ['x'] : ['x', 'ietf'],
    adminTokens: [{ name: `operator-${round}`, role: 'viewer', token: '${OPERATOR_TOKEN}' }],
  };
}

const responses = new Map<string, number>();
let answered = 0;

/**
 * Sends requests continuously.
 *
 * @returns a function that stops the requests
 */
function load(): () => Promise<unknown> {
  const stopping = new AbortController();
  const client = async () => {
    while (!stopping.signal.aborted) {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: '/now',
        headers: { 'x-api-key': gateway.demoKey },
      });
      const response = `${statusCode} ${await body.text()}`;
      responses.set(response, (responses.get(response) ?? 0) + 1);
      answered++;
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return () => {
    stopping.abort();
    return Promise.all(clients);
  };
}

async function reloads(from: number, to: number): Promise<void> {
  for (let round = from; round < to; round++) {
    const before = answered;
    await until(() => answered >= before + BETWEEN);
    const isBroken = round % 4 === 3;
    if (isBroken) gateway.write('gateway.yaml', `upstreams: [\n# ${round}`);
    else gateway.configure(createSettings(round));
    gateway.write('service.yaml', createDocument({ now: { summary: `Round ${round}` } }));
    const { status, body } = await gateway.reload();
    expect([status, isBroken ? body.code : body.restart]).toEqual(
      isBroken ? [422, 'configuration_invalid'] : [200, []],
    );
  }
}

/**
 * Declares a test that makes different reloads under a steady load, every fourth with a broken file. No request may
 * fail, and no connection of an earlier configuration may stay open.
 *
 * @param check called after half of the reloads, and after all of them
 */
export function reloadsUnderLoad(count: number, check = () => {}): void {
  test(`while ${count} reloads and requests overlap, no request fails and no connection leaks`, async () => {
    const stop = load();
    await reloads(0, count / 2);
    check();
    await reloads(count / 2, count);
    await stop();
    expect([...responses.keys()].sort()).toEqual(['200 one', '200 two']);
    await until(() => connections <= CLIENTS);
    check();
  });
}
