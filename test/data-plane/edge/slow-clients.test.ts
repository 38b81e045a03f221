/**
 * The attack: many connections that send a byte now and then, to occupy the resources of a connection for as long as
 * they like (Slowloris), or that request a large response and read it as slowly.
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

test('500 slow clients do not delay others, and are disconnected in time', async () => {
  const patient = await startGatewayWithUpstreams([contractTarget(service.url)], {
    edge: { headersTimeout: '10s', requestTimeout: '10s' },
  });
  const head = `POST /mirror HTTP/1.1\r\nHost: x\r\nX-API-Key: ${patient.demoKey}\r\nContent-Length: 100\r\n`;
  const slow = Array.from({ length: 500 }, (_, index) =>
    // Half of them are slow in the headers, half in the body.
    new RawConnection(patient.url).send(index % 2 === 0 ? head : `${head}\r\nx`),
  );
  // Connecting them takes time in this process too, which must not be measured.
  await Promise.all(slow.map(async ({ socket }) => socket.connecting && once(socket, 'connect')));
  const stopwatch = startStopwatch();
  const drip = setInterval(() => slow.forEach((each) => each.ended || each.send('x')), 200);
  try {
    for (let call = 0; call < 2; call++) expect((await patient.call('/headers')).status).toBe(200);
    // The calls did not wait for the end of those that are slow.
    expect(slow.filter(({ ended }) => !ended).length).toBeGreaterThan(100);
    const answers = await Promise.all(slow.map((each) => each.closed()));
    // Without a timeout, they would take minutes.
    expect(stopwatch.stop()).toBeLessThan(60_000);
    for (const answer of answers.filter((_, index) => index % 2 === 0)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    clearInterval(drip);
    for (const each of slow) each.close();
    await patient.stop();
  }
});

test('a body that does not arrive is a 408, with the usual headers', async () => {
  const connection = new RawConnection(gateway.url);
  connection.send(`POST /hang HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nContent-Length: 10\r\n\r\nx`);
  const { status, head, body } = await connection.answer();
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
