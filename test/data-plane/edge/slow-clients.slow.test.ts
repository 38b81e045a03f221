/**
 * The attack: many connections that send a byte now and then to occupy resources for as long as they like (Slowloris),
 * or that request a large response and read it equally slowly.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createService } from '../../support/services/contract-service.ts';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { until } from '../../support/until.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';
import { startStopwatch } from '../../support/stopwatch.ts';

let service: HttpService;
let gateway: TestGateway;
/** A gateway with the same service as a module in its process. */
let inProcess: TestGateway;

beforeAll(async () => {
  service = await serveHttp(createService().handler);
  const edge = { headersTimeout: '1s', requestTimeout: '2s', writeTimeout: '3s' };
  gateway = await startGatewayWithUpstreams([contractTarget(service.url)], { edge });
  const module = join(root, 'test/support/services/contract-service.ts');
  inProcess = await startGatewayWithUpstreams([{ name: 'contract', openapi: contractDocument, module }], { edge });
});
afterAll(async () => {
  await gateway.stop();
  await inProcess.stop();
  await service.close();
});

/** Half of them are slow in the headers, half in the body. */
async function connectSlowly(to: TestGateway, count: number): Promise<RawConnection[]> {
  const head = `POST /mirror HTTP/1.1\r\nHost: x\r\nX-API-Key: ${to.demoKey}\r\nContent-Length: 10000\r\n`;
  const slow = Array.from({ length: count }, (_, index) =>
    new RawConnection(to.url).send(index % 2 === 0 ? head : `${head}\r\nx`),
  );
  await Promise.all(slow.map(async ({ socket }) => socket.connecting && once(socket, 'connect')));
  return slow;
}

test('500 slow clients do not make others wait', async () => {
  const edge = { headersTimeout: '10m', requestTimeout: '10m' };
  const patient = await startGatewayWithUpstreams([contractTarget(service.url)], { edge });
  const slow = await connectSlowly(patient, 500);
  try {
    // Waiting for the slow clients would take minutes.
    for (let call = 0; call < 10; call++) expect((await patient.call('/headers')).status).toBe(200);
    expect(slow.filter(({ ended }) => !ended).length).toBeGreaterThanOrEqual(250);
  } finally {
    for (const each of slow) each.close();
    await patient.stop();
  }
});

test('slow clients are disconnected, even if bytes keep arriving', async () => {
  const slow = await connectSlowly(gateway, 100);
  const stopwatch = startStopwatch();
  const drip = setInterval(() => slow.forEach((each) => each.ended || each.send('x')), 200);
  try {
    const responses = await Promise.all(slow.map((each) => each.closed()));
    // At this pace, a body would take half an hour, and the headers have no end.
    expect(stopwatch.stop()).toBeLessThan(60_000);
    for (const response of responses.filter((_, index) => index % 2 === 0))
      expect(response).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    clearInterval(drip);
    for (const each of slow) each.close();
  }
});

test('a body that does not arrive gets a 408 with the usual headers', async () => {
  const connection = new RawConnection(gateway.url);
  connection.send(`POST /hang HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nContent-Length: 10\r\n\r\nx`);
  const { status, head, body } = await connection.readResponse();
  connection.close();
  expect([status, JSON.parse(body)]).toEqual([408, expect.objectContaining({ code: 'request_timeout' })]);
  expect(head).toMatch(/^x-ratelimit-limit: 1000000$/im);
});

describe.each(['over HTTP', 'in process'])('a consumer of a service %s', (where) => {
  const gatewayUnderTest = () => (where === 'in process' ? inProcess : gateway);
  const ask = (bytes: number) => {
    const connection = new RawConnection(gatewayUnderTest().url);
    const key = gatewayUnderTest().demoKey;
    return connection.send(`GET /large?bytes=${bytes} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
  };
  const abortedResponses = () =>
    gatewayUnderTest()
      .responses()
      .filter(({ operation, aborted }) => operation === 'getLarge' && aborted);

  test('that reads nothing of the response is disconnected, and the service is released', async () => {
    const connection = ask(100_000_000);
    connection.socket.pause();
    await until(() => abortedResponses().length === 1);
    connection.close();
  });

  test('that reads slowly gets the whole response', async () => {
    const bytes = 16_000_000;
    const { socket } = ask(bytes);
    socket.removeAllListeners('data').pause();
    // About 2 MB a second: the whole response takes much longer than the write timeout.
    let received = 0;
    while (received < bytes && !socket.destroyed) {
      received += String(socket.read() ?? '').length;
      await sleep(30);
    }
    expect(received).toBeGreaterThan(bytes);
    expect(abortedResponses()).toHaveLength(1);
    socket.destroy();
  });
});
