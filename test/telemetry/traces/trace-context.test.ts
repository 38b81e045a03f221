import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  formatTraceparent,
  parseTraceparent,
  setTraceparent,
  readTraceId,
} from '../../../src/telemetry/traces/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

/** The tests use the examples of W3C Trace Context, and every kind of invalid header that it mentions. */
describe('a traceparent', () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    [`00-${TRACE}-${SPAN}-03`, 3],
    [`00-${TRACE}-${SPAN}-ff`, 255],
    // If a traceparent has a later version, only the fields of this version are read.
    [`cc-${TRACE}-${SPAN}-01`, 1],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, 1],
    [`cc-${TRACE}-${SPAN}-01-`, 1],
  ])('%s is valid', (header, flags) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, flags });
    expect(readTraceId(header)).toBe(TRACE);
  });

  test.each([
    '',
    'nonsense',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.toUpperCase()}-01`,
    `00-${TRACE}-${SPAN}-0`,
    `00-${TRACE}-${SPAN}-0g`,
    `00-${TRACE}-${SPAN}-0A`,
    `0-${TRACE}-${SPAN}-01`,
    `.0-${TRACE}-${SPAN}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN.slice(1)}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    ` 00-${TRACE}-${SPAN}-01`,
    // These are two headers, joined in the way of Node.
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01, cc-${TRACE}-${SPAN}-01`,
  ])('%j is not valid', (header) => {
    expect(parseTraceparent(header)).toBeNull();
    expect(readTraceId(header)).toBeUndefined();
  });

  test('is optional', () => {
    expect(readTraceId(undefined)).toBeUndefined();
  });

  test('is read as it was written, with the random flag of its parent', () => {
    const hex = (length: number) =>
      fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((id) => /[^0]/.test(id));
    fc.assert(
      fc.property(hex(32), hex(16), fc.boolean(), fc.nat(255), (traceId, spanId, isSampled, parentFlags) => {
        const flags = (isSampled ? 1 : 0) + (parentFlags & 2);
        expect(parseTraceparent(formatTraceparent(traceId, spanId, isSampled, parentFlags))).toEqual({
          traceId,
          spanId,
          flags,
        });
      }),
    );
  });
});

describe('in the headers of a request', () => {
  test.each([
    ['is added', ['Accept', '*/*'], true, ['Accept', '*/*']],
    ['replaces all existing ones', ['TraceParent', 'a', 'Accept', '*/*', 'traceparent', 'b'], true, ['Accept', '*/*']],
    ['keeps the tracestate of its parent', ['traceparent', 'a', 'tracestate', 'x=1'], true, ['tracestate', 'x=1']],
    ['has no tracestate without a parent', ['Tracestate', 'x=1', 'Accept', '*/*'], false, ['Accept', '*/*']],
    [
      'is not confused with a name of the same length',
      ['retry-after', '1', 'user-agent', 'x'],
      false,
      ['retry-after', '1', 'user-agent', 'x'],
    ],
  ])('%s', (_, headers, keepsState, rest) => {
    setTraceparent(headers, 'new', keepsState);
    expect(headers).toEqual([...rest, 'traceparent', 'new']);
  });
});
