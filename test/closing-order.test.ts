/**
 * A gateway closes its parts in reverse order of opening, because parts opened later may still use earlier ones. This
 * holds for a drain and for a start that fails.
 */
import { afterEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { startGateway } from '../src/gateway.ts';
import { Shutdown } from '../src/shutdown.ts';
import { startTestGateway, testConfig } from './support/gateway/gateway.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { createUnknownEffects } from '../src/control-plane/system/reload-effects.ts';

/** All parts, in the order in which they are opened. */
const PARTS = [
  'records',
  'counters',
  'heartbeat',
  'certificates',
  'admin listener',
  'events',
  'upstreams',
  'history',
  'credential cache',
  'automatic bans',
  'address refusals',
  'background work',
  'counter store',
  'public listener',
  'token issuers',
  'redaction of foreign keys',
  'system',
  'portal listener',
  'reloading',
  'first start',
];
// The deadline is long enough for a slow machine to close everything.
const settings = { portal: { enabled: true }, drain: { deadline: '30s' } };

afterEach(() => void jest.restoreAllMocks());

/** @returns the parts that log lines report as closing, in order */
function closedParts(lines: readonly string[]): string[] {
  const parsed = lines.map((line) => JSON.parse(line) as { msg?: string; part?: string });
  return parsed.flatMap(({ msg, part }) => (msg === 'closing' && part !== undefined ? [part] : []));
}

test('a drain closes all parts in reverse order of opening', async () => {
  const gateway = await startTestGateway({ settings });
  await gateway.stop();
  expect(closedParts(gateway.logs)).toEqual(PARTS.toReversed());
});

test.each(PARTS.map((part, index) => ({ part, opened: index + 1 })))(
  'a start that fails after opening $part closes the $opened parts that it has opened',
  async ({ part, opened }) => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with its instance below
    const add = Shutdown.prototype.add;
    jest.spyOn(Shutdown.prototype, 'add').mockImplementation(function (this: Shutdown, name, close) {
      add.call(this, name, close);
      if (name === part) throw new Error(`failed after ${part}`);
    });
    const lines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const config = testConfig(temporaryDirectory(), { settings });
    const start = startGateway(config, logger, {
      loadConfig: () => Promise.resolve(config),
      previewConfig: () => Promise.resolve(createUnknownEffects('not read')),
    });
    await expect(start).rejects.toThrow(`failed after ${part}`);
    expect(closedParts(lines)).toEqual(PARTS.slice(0, opened).toReversed());
  },
);
