import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { createResponseLog } from '../../../src/data-plane/observers/access-log.ts';

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/);

const lines = fc.record({
  requestId: word,
  traceId: optional(fc.constant('4bf92f3577b34da6a3ce929d0e0e4736')),
  keyId: optional(word),
  plan: optional(fc.string({ unit: 'binary' })),
  method: optional(fc.constantFrom('GET', 'M-SEARCH')),
  operation: optional(fc.string({ unit: 'binary' })),
  path: optional(fc.string({ unit: 'binary' })),
  status: optional(fc.constantFrom(101, 200, 429, 500, 503)),
  durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
  reason: optional(fc.constantFrom('rate_limit_exceeded', 'key_banned')),
  shadow: optional(fc.constantFrom('minute_exhausted')),
  aborted: optional(fc.constant(true as const)),
});

/** @returns the written line without its time */
function readWrittenLine(level: string, log: (logger: pino.Logger) => void): unknown {
  const texts: string[] = [];
  log(pino({ level }, { write: (text: string) => void texts.push(text) }).child({ gateway: 'a "b"' }));
  expect(texts.every((text) => text.endsWith('\n') && text.split('\n').length === 2)).toBe(true);
  return texts.map((text) => {
    const { time, ...rest } = JSON.parse(text) as { time: number };
    expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
    return { ...rest, fields: Object.keys(rest) };
  });
}

test('a response is logged in the same line that pino would write', () => {
  const levels = fc.constantFrom('trace', 'info', 'warn', 'error', 'fatal', 'silent');
  fc.assert(
    fc.property(lines, levels, (line, level) => {
      const expected = readWrittenLine(level, (logger) => {
        if (line.status !== undefined && line.status >= 500) logger.error(line, 'response');
        else logger.info(line, 'response');
      });
      expect(readWrittenLine(level, (logger) => createResponseLog(logger)(line))).toEqual(expected);
    }),
  );
});
