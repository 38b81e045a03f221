/**
 * The attack: many connections that send a byte now and then, and hold what each connection costs for as long as they
 * like (Slowloris); or that ask for much and take it as slowly.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createService } from '../support/contract-service.ts';
import type { TestGateway } from '../support/gateway.ts';
import { serveHttp, type HttpService } from '../support/http-service.ts';
import { contractTarget, startPlugged } from '../support/plugged.ts';
import { RawConnection } from '../support/raw.ts';

let service: HttpService;
let gateway: TestGateway;

beforeAll(async () => {
  service = await serveHttp(createService().handler);
  gateway = await startPlugged([{ ...contractTarget(service.url), timeouts: { idle: '1s' } }], {
    edge: { headersTimeout: '1s', requestTimeout: '2s' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The 99th percentile of 200 calls, eight at a time, in ms. */
async function p99(): Promise<number> {
  const times: number[] = [];
  const caller = async () => {
    for (let call = 0; call < 25; call++) {
      const startedAt = performance.now();
      const response = await gateway.call('/headers');
      await response.text();
      expect(response.status).toBe(200);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

test('500 slow clients do not slow the others, and are cut off in time', async () => {
  await p99();
  const alone = await p99();
  const head = `POST /mirror HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nContent-Length: 100\r\n`;
  const slow = Array.from({ length: 500 }, (_, index) =>
    // Half of them dawdle in the head, half in the body.
    new RawConnection(gateway.url).send(index % 2 === 0 ? head : `${head}\r\nx`),
  );
  const startedAt = performance.now();
  const drip = setInterval(() => slow.forEach((each) => each.ended || each.send('x')), 200);
  try {
    const among = await p99();
    const answers = await Promise.all(slow.map((each) => each.closed()));
    // The timeout, the second between two looks, and what a busy machine adds.
    expect(performance.now() - startedAt).toBeLessThan(8000);
    for (const answer of answers.filter((_, index) => index % 2 === 0)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(among).toBeLessThan(Math.max(1000, 10 * alone));
  } finally {
    clearInterval(drip);
    for (const each of slow) each.close();
  }
});

test('a body that does not arrive is a 408, with the headers of any answer', async () => {
  const connection = new RawConnection(gateway.url);
  connection.send(`POST /hang HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nContent-Length: 10\r\n\r\nx`);
  const { status, head, body } = await connection.answer();
  connection.close();
  expect([status, JSON.parse(body)]).toEqual([408, expect.objectContaining({ code: 'request_timeout' })]);
  expect(head).toMatch(/^x-ratelimit-limit: 1000000$/im);
});

test('a consumer that does not take its answer is cut off, and the upstream let go', async () => {
  const connection = new RawConnection(gateway.url);
  connection.socket.pause();
  connection.send(`GET /large?bytes=100000000 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
  const cutOff = () => gateway.responses().some(({ operation, aborted }) => operation === 'getLarge' && aborted);
  for (let waited = 0; waited < 30 && !cutOff(); waited++) await sleep(100);
  expect(cutOff()).toBe(true);
  connection.close();
});
