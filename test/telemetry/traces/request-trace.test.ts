import { describe, expect, test } from '@jest/globals';
import { RequestTrace } from '../../../src/telemetry/traces/request-trace.ts';
import type { Tracing } from '../../../src/telemetry/traces/tracing.ts';

/** The trace ids that the gateway generates, in their order. */
const OWN = ['a'.repeat(32), 'b'.repeat(32)];
const GIVEN = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SPAN = 'c'.repeat(16);

interface Case {
  readonly flags?: '00' | '01' | '02' | '03';
  readonly trusted?: boolean;
  readonly parentBased?: boolean;
  /** The ids of the traces that the ratio samples. */
  readonly sampledIds?: readonly string[];
}

function createTrace({ flags, trusted = false, parentBased = true, sampledIds = [] }: Case): RequestTrace {
  const ids = [...OWN];
  const tracing: Tracing = {
    newTraceId: () => ids.shift() ?? '',
    newSpanId: () => SPAN,
    isSampled: (traceId) => sampledIds.includes(traceId),
    isParentBased: parentBased,
    record: () => undefined,
    close: async () => undefined,
  };
  const header = flags === undefined ? undefined : `00-${GIVEN}-${PARENT}-${flags}`;
  return new RequestTrace(tracing, header, 'x=1', () => trusted);
}

describe('a request without a parent', () => {
  test.each([true, false])('begins a trace, sampled by ratio: %s', (isSampled) => {
    const trace = createTrace({ sampledIds: isSampled ? [OWN[0]!] : [] });
    expect(trace).toMatchObject({ traceId: OWN[0], isSampled, parent: null, traceState: undefined });
    // The service must be told the decision, because it would otherwise make its own.
    expect(trace.traceparent).toBe(`00-${OWN[0]}-${SPAN}-${isSampled ? '01' : '00'}`);
  });
});

describe('a request with a parent', () => {
  test.each<[string, Case, boolean]>([
    ['a trusted flag decides', { flags: '01', trusted: true }, true],
    ['a trusted flag also decides against it', { flags: '00', trusted: true, sampledIds: [GIVEN, ...OWN] }, false],
    [
      'the ratio of the trace decides if the sampler ignores parents',
      { flags: '00', trusted: true, parentBased: false, sampledIds: [GIVEN] },
      true,
    ],
    ['the ratio also decides against it', { flags: '01', trusted: true, parentBased: false, sampledIds: OWN }, false],
    ['the flag of other callers is ignored', { flags: '01' }, false],
    ['the trace id of other callers is ignored', { flags: '01', sampledIds: [GIVEN] }, false],
    ['only a random number of the gateway decides', { flags: '00', sampledIds: [OWN[0]!] }, true],
    ['the same holds if the sampler ignores parents', { flags: '01', parentBased: false, sampledIds: [GIVEN] }, false],
  ])('is sampled by the right rule: %s', (_, given, isSampled) => {
    const trace = createTrace(given);
    expect(trace).toMatchObject({ isSampled, traceId: GIVEN, traceState: 'x=1', parent: { spanId: PARENT } });
  });

  test('is forwarded unchanged if neither side records it', () => {
    expect(createTrace({ flags: '00' }).traceparent).toBeNull();
    expect(createTrace({ flags: '02' }).traceparent).toBeNull();
  });

  test('is forwarded with a span id of the gateway and the flag for recording', () => {
    expect(createTrace({ flags: '01' }).traceparent).toBe(`00-${GIVEN}-${SPAN}-00`);
    expect(createTrace({ flags: '03' }).traceparent).toBe(`00-${GIVEN}-${SPAN}-02`);
    expect(createTrace({ flags: '01', trusted: true }).traceparent).toBe(`00-${GIVEN}-${SPAN}-01`);
    expect(createTrace({ flags: '00', sampledIds: OWN }).traceparent).toBe(`00-${GIVEN}-${SPAN}-01`);
  });
});
