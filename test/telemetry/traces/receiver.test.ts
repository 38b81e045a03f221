/** A trace receiver that fails never affects a request, and delays a stop by at most a second. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { runGateway } from '../../support/gateway/process.ts';
import { until } from '../../support/until.ts';
import { unusedUrl } from '../../support/services/unused-url.ts';
import { createService } from '../../support/services/contract-service.ts';
import { serveHttp } from '../../support/services/http-service.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../../support/services/otlp-receiver.ts';
import { measureTime } from '../../support/stopwatch.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function receive(response?: OtlpReceiver['respond']): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver();
  opened.push(() => receiver.close());
  if (response !== undefined) receiver.respond = response;
  return receiver;
}

async function trace(env: Record<string, string>): Promise<TestGateway> {
  const service = await serveHttp(createService().handler);
  const gateway = await startGatewayWithUpstreams([contractTarget(service.url)], {}, undefined, env);
  opened.push(
    () => service.close(),
    () => gateway.stop(),
  );
  return gateway;
}

/** Counts spans by their outcome. */
async function counts(gateway: TestGateway): Promise<Record<string, number>> {
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  const found = text.matchAll(/^tollgate_trace_spans_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries(Array.from(found, ([, outcome, count]) => [outcome, Number(count)]));
}

const warnings = (gateway: TestGateway) =>
  gateway.logs
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level >= 40 || msg === 'traces can be sent again');

async function callTimes(gateway: TestGateway, times: number): Promise<void> {
  for (let call = 0; call < times; call++) expect((await gateway.call('/echo')).status).toBe(200);
}

describe('requests continue, and losses are counted and logged once, if the receiver', () => {
  test.each<[string, OtlpReceiver['respond'], string]>([
    ['answers 500', (_, res) => res.writeHead(500).end('x'.repeat(5000)), 'HTTP 500'],
    ['answers 401', (_, res) => res.writeHead(401).end(), 'HTTP 401'],
    ['resets connections', (req) => req.socket.resetAndDestroy(), 'ECONNRESET'],
    ['never responds', () => undefined, 'Request timed out'],
    [
      'never ends its response',
      (_, res) => {
        const timer = setInterval(() => res.write(' '), 20);
        res.once('close', () => clearInterval(timer));
      },
      'no complete response in time',
    ],
  ])('%s', async (_, response, reason) => {
    const receiver = await receive(response);
    const gateway = await trace(receiver.env);
    await callTimes(gateway, 3);
    await until(async () => (await counts(gateway))['failed'] === 6);
    expect(warnings(gateway)).toContainEqual(expect.objectContaining({ reason, msg: expect.stringContaining('lost') }));
    // Further losses for the same reason are not logged again.
    await callTimes(gateway, 1);
    await until(async () => (await counts(gateway))['failed'] === 8);
    // On a busy machine, a response may begin too late, which is logged as another reason.
    const reasons = warnings(gateway).map((line) => line['reason']);
    expect(reasons.filter((each, index) => each === reasons[index - 1])).toEqual([]);
  });

  test('is not reachable', async () => {
    const receiver = await receive();
    const gateway = await trace({ ...receiver.env, OTEL_EXPORTER_OTLP_ENDPOINT: await unusedUrl() });
    await callTimes(gateway, 1);
    await until(async () => (await counts(gateway))['failed'] === 2);
    expect(warnings(gateway)).toMatchObject([{ reason: 'ECONNREFUSED' }]);
  });

  test('responds with errors, and its recovery is logged, too', async () => {
    const receiver = await receive();
    const works = receiver.respond;
    receiver.respond = (_, res) => res.writeHead(500).end();
    const gateway = await trace(receiver.env);
    await callTimes(gateway, 1);
    await until(() => warnings(gateway).length === 1);
    receiver.respond = works;
    await callTimes(gateway, 1);
    await until(() => warnings(gateway).length === 2);
    expect(warnings(gateway)).toMatchObject([{ reason: 'HTTP 500' }, { msg: 'traces can be sent again' }]);
    expect(await counts(gateway)).toEqual({ exported: 2, failed: 2, dropped: 0 });
  });
});

test('a full queue drops spans and stays within its limit', async () => {
  const held: ServerResponse[] = [];
  const receiver = await receive((_req, res) => void held.push(res));
  const gateway = await trace({
    ...receiver.env,
    OTEL_BSP_MAX_QUEUE_SIZE: '4',
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
  });
  // The receiver does not respond, but no request waits for it.
  await callTimes(gateway, 10);
  // Spans that are being sent count toward the limit, too.
  expect(await counts(gateway)).toEqual({ exported: 0, failed: 0, dropped: 16 });
  expect(warnings(gateway)).toMatchObject([{ msg: expect.stringContaining('dropped') }]);
  // After the export has failed, there is room for spans again.
  receiver.respond = (_req, res) => void res.writeHead(400).end();
  for (const res of held) res.writeHead(400).end();
  await until(async () => (await counts(gateway))['failed'] === 4);
  await callTimes(gateway, 1);
  expect((await counts(gateway))['dropped']).toBe(16);
});

describe('a stop of the gateway', () => {
  test('sends the remaining spans', async () => {
    const receiver = await receive();
    const gateway = await trace({ ...receiver.env, OTEL_BSP_SCHEDULE_DELAY: '60000' });
    await callTimes(gateway, 3);
    expect(receiver.requests).toHaveLength(0);
    await opened.pop()?.();
    expect(receiver.spans).toHaveLength(6);
  });

  test('waits at most a second for an unresponsive receiver', async () => {
    const receiver = await receive(() => undefined);
    const gateway = await trace({ ...receiver.env, OTEL_EXPORTER_OTLP_TIMEOUT: '120000' });
    await callTimes(gateway, 1);
    const began = performance.now();
    const { ms } = await measureTime(async () => opened.pop()?.());
    // The lower bound uses the real clock, which includes the times when the machine stalls. The upper bound excludes
    // them.
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(ms).toBeLessThan(60_000);
    expect(receiver.requests).toHaveLength(1);
  });
});

test('a process reads the standard variables and sends protobuf', async () => {
  const receiver = await receive();
  const folder = tempFolder();
  const running = await runGateway(folder.path, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector,x-tenant=pets',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    OTEL_SERVICE_NAME: 'edge-gateway',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '1000',
  });
  const [, key = ''] = await running.waitForOutput(/X-API-Key: (\S+)'/);
  expect((await fetch(`${running.publicUrl}/pets/1`, { headers: { 'X-API-Key': key } })).status).toBe(200);
  await until(() => receiver.requests.length > 0);
  running.child.kill('SIGTERM');
  expect(await running.ended()).toBe(0);
  const [request, ...more] = receiver.requests;
  expect(more).toEqual([]);
  expect(request).toMatchObject({
    url: '/v1/traces',
    headers: {
      'content-type': 'application/x-protobuf',
      authorization: 'Bearer of-the-collector',
      'x-tenant': 'pets',
    },
  });
  for (const text of ['GET /pets/{petId}', 'edge-gateway', 'deployment.environment.name', 'staging']) {
    expect([text, request?.body.includes(text)]).toEqual([text, true]);
  }
  expect(request?.body.includes('unknown_service')).toBe(false);
  expect(running.output()).not.toContain('of-the-collector');
  expect(running.output()).toContain(`"receiver":"${receiver.url}"`);
  folder.remove();
});
