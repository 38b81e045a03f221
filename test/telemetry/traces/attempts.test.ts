/** If a request is retried, each attempt has a client span. The service gets the span id of the last attempt. */
import { expect, test } from '@jest/globals';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { createService } from '../../support/services/contract-service.ts';
import { serveHttp } from '../../support/services/http-service.ts';
import { startOtlpReceiver } from '../../support/services/otlp-receiver.ts';
import { unusedUrl } from '../../support/services/unused-url.ts';

test('a retry at another target has its own span', async () => {
  const receiver = await startOtlpReceiver();
  const service = await serveHttp(createService().handler);
  const dead = await unusedUrl();
  const gateway = await startGatewayWithUpstreams([contractTarget(dead, service.url)], {}, undefined, receiver.env);
  // One of two requests tries the dead target first. After that, the dead target is skipped for a while.
  const sent: string[] = [];
  for (let call = 0; call < 4; call++) {
    const response = await gateway.call('/echo');
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    sent.push(headers['traceparent'] ?? '');
  }
  await gateway.stop();
  await service.close();
  await receiver.close();

  const failed = receiver.spans.find((span) => span.attributes['url.full'] === `${dead}/echo`);
  const trace = receiver.spans.filter((span) => span.traceId === failed?.traceId);
  const [server, ...clients] = trace.toSorted((a, b) => b.kind.localeCompare(a.kind) || a.startMs - b.startMs);
  expect(server).toMatchObject({ kind: 'server', isError: false });
  expect(clients).toMatchObject([
    {
      kind: 'client',
      parentSpanId: server?.spanId,
      isError: true,
      attributes: { 'error.type': 'upstream_unreachable' },
    },
    { kind: 'client', parentSpanId: server?.spanId, isError: false, attributes: { 'http.request.resend_count': 1 } },
  ]);
  expect(failed?.attributes).not.toHaveProperty('http.request.resend_count');
  expect(sent).toContain(`00-${server?.traceId}-${clients[1]?.spanId}-01`);
});
