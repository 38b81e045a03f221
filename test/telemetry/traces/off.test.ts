/**
 * If no trace receiver is configured, trace headers are forwarded unchanged, the log has the trace id, and no spans are
 * created.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { runGateway } from '../../support/gateway/process.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { until } from '../../support/until.ts';
import { createService } from '../../support/services/contract-service.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { startOtlpReceiver } from '../../support/services/otlp-receiver.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

let service: HttpService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
  gateway = await startGatewayWithUpstreams([contractTarget(service.url)]);
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

let count = 0;
async function forward(headers: Record<string, string>) {
  const requestId = `request-${++count}`;
  const response = await gateway.call('/echo', { headers: { ...headers, 'x-request-id': requestId } });
  const seen = ((await response.json()) as { headers: Record<string, string> }).headers;
  await until(() => gateway.responses().some((line) => line['requestId'] === requestId));
  const line = gateway.responses().find((line) => line['requestId'] === requestId);
  return { traceparent: seen['traceparent'], tracestate: seen['tracestate'], logged: line?.['traceId'] };
}

test.each([
  [`00-${TRACE}-00f067aa0ba902b7-01`, TRACE],
  [`00-${TRACE}-00f067aa0ba902b7-00`, TRACE],
  [`cc-${TRACE}-00f067aa0ba902b7-01-later`, TRACE],
  [`ff-${TRACE}-00f067aa0ba902b7-01`, undefined],
  ['anything "else"', undefined],
])('the traceparent %s is forwarded unchanged, with its state', async (traceparent, logged) => {
  const tracestate = 'a=1,b=2, c = 3';
  expect(await forward({ traceparent, tracestate })).toEqual({ traceparent, tracestate, logged });
});

test('a request without a traceparent is forwarded without one', async () => {
  expect(await forward({})).toEqual({ traceparent: undefined, tracestate: undefined, logged: undefined });
});

test('tollgate_trace_spans_total is exposed with the value 0', async () => {
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  for (const outcome of ['exported', 'failed', 'dropped']) {
    expect(text).toContain(`tollgate_trace_spans_total{outcome="${outcome}"} 0\n`);
  }
});

/** The OpenTelemetry packages that a gateway loads. */
async function loadedModules(env: Record<string, string>): Promise<string[]> {
  const folder = tempFolder();
  const watch = join(root, 'test/telemetry/traces/module-watch.ts');
  const running = await runGateway(folder.path, { ...env, NODE_OPTIONS: `--import=${watch}` });
  const [, key = ''] = await running.waitForOutput(/X-API-Key: (\S+)'/);
  const headers = { 'X-API-Key': key, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
  expect((await fetch(`${running.publicUrl}/pets`, { headers })).status).toBe(200);
  running.child.kill('SIGTERM');
  expect(await running.ended()).toBe(0);
  expect(running.output()).toContain(`"traceId":"${TRACE}"`);
  folder.remove();
  return Array.from(running.output().matchAll(/^loaded (\S+)$/gm), ([, name = '']) => name);
}

test('OpenTelemetry is loaded only if traces are enabled', async () => {
  expect(await loadedModules({ OTEL_SERVICE_NAME: 'other', OTEL_TRACES_SAMPLER: 'always_on' })).toEqual([]);
  const receiver = await startOtlpReceiver();
  const loaded = await loadedModules(receiver.env);
  const ofSources = ['@opentelemetry/api', '@opentelemetry/sdk-trace'];
  expect([...loaded, ...(loaded.includes('open-tracing') ? ofSources : [])]).toEqual(expect.arrayContaining(ofSources));
  await receiver.close();
});
