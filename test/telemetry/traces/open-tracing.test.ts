import { expect, test } from '@jest/globals';
import { RandomIds } from '../../../src/telemetry/traces/sdk/open-tracing.ts';

test('ids have the length of W3C Trace Context and are unique across many pools', () => {
  const ids = new RandomIds();
  const generated = Array.from({ length: 5000 }, () => [ids.generateTraceId(), ids.generateSpanId()]);
  for (const [traceId, spanId] of generated) {
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
  }
  expect(new Set(generated.flat()).size).toBe(10_000);
});
