/** A gateway trusts the sampling flag of trusted proxies only. request-trace.test.ts has all cases of the decision. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { until } from '../../support/until.ts';
import { createService } from '../../support/services/contract-service.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../../support/services/otlp-receiver.ts';

const PARENT = '00f067aa0ba902b7';
/** `proxy` callers are trusted, and `stranger` is any other client. */
type Peer = 'proxy' | 'stranger';

let receiver: OtlpReceiver;
let service: HttpService;
const gateways = new Map<string, TestGateway>();
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  service = await serveHttp(createService().handler);
  for (const [ratio, peer] of [
    ['0', 'proxy'],
    ['1', 'proxy'],
    ['0', 'stranger'],
  ] as const) {
    const settings = { trustedProxies: peer === 'proxy' ? ['127.0.0.0/8'] : [] };
    const env = { ...receiver.env, OTEL_TRACES_SAMPLER_ARG: ratio };
    gateways.set(
      `${ratio} ${peer}`,
      await startGatewayWithUpstreams([contractTarget(service.url)], settings, undefined, env),
    );
  }
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.stop();
  await service.close();
  await receiver.close();
});

/** Calls a gateway. Returns the parts of the `traceparent` that the service received. */
async function readSentTraceparent(ratio: '0' | '1', peer: Peer, traceparent: string) {
  const gateway = gateways.get(`${ratio} ${peer}`)!;
  const response = await gateway.call('/echo', { headers: { traceparent, tracestate: 'a=1' } });
  const seen = (await response.json()) as { headers: Record<string, string> };
  const [version, traceId = '', spanId = '', flags] = seen.headers['traceparent']?.split('-') ?? [];
  return { version, traceId, spanId, flags, tracestate: seen.headers['tracestate'] };
}

/** @returns true if spans of a trace were exported. Waits for the spans of a later request through the same gateway */
async function exported(ratio: '0' | '1', peer: Peer, traceId: string): Promise<boolean> {
  if (ratio === '0' && peer === 'stranger') {
    // No request of this gateway has spans, so stop it to flush everything.
    await gateways.get('0 stranger')!.stop();
    gateways.delete('0 stranger');
  } else {
    const marker = `00-${crypto.randomUUID().replaceAll('-', '')}-${PARENT}-01`;
    const later = await readSentTraceparent(ratio, peer, marker);
    await receiver.trace(later.traceId, 2);
  }
  return receiver.spans.some((span) => span.traceId === traceId);
}

describe('for a request from a trusted proxy', () => {
  test('the sampled flag decides, whatever the ratio', async () => {
    const traceId = '1'.repeat(32);
    expect(await readSentTraceparent('0', 'proxy', `00-${traceId}-${PARENT}-01`)).toMatchObject({
      traceId,
      flags: '01',
    });
    expect(await receiver.trace(traceId, 2)).toMatchObject([{ parentSpanId: PARENT }, { kind: 'client' }]);
  });

  test('the flag decides against a span if it is not sampled, and the header is forwarded unchanged', async () => {
    const traceId = '2'.repeat(32);
    const seen = await readSentTraceparent('1', 'proxy', `00-${traceId}-${PARENT}-00`);
    expect(seen).toEqual({ version: '00', traceId, spanId: PARENT, flags: '00', tracestate: 'a=1' });
    expect(await exported('1', 'proxy', traceId)).toBe(false);
  });
});

describe('for a request from any other caller', () => {
  test('that is not sampled, the service still gets the decision and a span id of the gateway', async () => {
    const traceId = '4'.repeat(32);
    const seen = await readSentTraceparent('0', 'stranger', `00-${traceId}-${PARENT}-01`);
    expect(seen).toMatchObject({ traceId, flags: '00', tracestate: 'a=1' });
    expect(seen.spanId).not.toBe(PARENT);
    const logged = gateways.get('0 stranger')!;
    await until(() => logged.responses().some((line) => line['traceId'] === traceId));
    expect(await exported('0', 'stranger', traceId)).toBe(false);
  });
});
