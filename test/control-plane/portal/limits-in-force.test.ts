import { expect, test } from '@jest/globals';
import { formatLimits, replaceLimits } from '../../../src/control-plane/portal/resources/limits-in-force.ts';
import { readDocument } from '../../support/documents.ts';

const consumers = readDocument('docs/consumers.md');
const limits = {
  bans: {
    strikes: 7,
    withinSeconds: 120,
    graceSeconds: 0.5,
    patienceSeconds: 45,
    lengthsSeconds: [180, 7200],
    forgiveAfterSeconds: 172_800,
  },
  connections: {
    maxHeaderBytes: 32_768,
    headersSeconds: 11,
    requestSeconds: 31,
    writeSeconds: 32,
    keepAliveSeconds: 76,
    maxTunnels: 1001,
    tunnelIdleSeconds: 420,
  },
  services: { maxBodyBytes: [2_097_152, 1_073_741_824], responseSeconds: [16], idleSeconds: [33, 34] },
  keys: { maxPerAccount: 1, newPerDay: 20, graceSeconds: 90_000, quietSeconds: 172_800, maxGraceSeconds: 864_000 },
  history: { minutesSeconds: 86_400, hoursSeconds: 691_200, daysSeconds: 31_536_000 },
};

test('every default in the documentation for consumers is replaced with the limit in force', () => {
  const shown = replaceLimits(consumers, limits);
  const rows = [...formatLimits(limits)].map(
    ([name, text]) =>
      `| ${name === 'bans begin again at 1 minute' ? 'bans begin again at 3 minutes' : name} | ${text} |`,
  );
  expect(rows.filter((row) => !shown.includes(row))).toEqual([]);
  const tables = consumers.split(/^\| (?:rule|limit) +\| default +\|$/m).slice(1);
  const listed = tables.flatMap((text) => text.trimStart().split('\n\n')[0]?.split('\n').slice(1) ?? []);
  expect(listed).toHaveLength(rows.length);
  expect(shown).not.toMatch(/These are the defaults|^\| (?:rule|limit) +\| default/m);
});

test('limits are formatted in words and units', () => {
  const texts = formatLimits(limits);
  expect(texts.get('length of a ban')).toBe('3 minutes, then 2 hours; all further bans, 2 hours');
  expect(texts.get('request body')).toBe('2 MB to 1 GB, depending on the service');
  expect(texts.get('time without data within a response')).toBe('33 seconds to 34 seconds, depending on the service');
  expect(texts.get('not a strike')).toContain('within 500 ms of');
  expect(texts.get('how long an old secret works, unless you choose')).toBe('25 hours');
});

test('limits of time are shown as “no limit” if all services run in the gateway', () => {
  const services = { maxBodyBytes: [1024], responseSeconds: [], idleSeconds: [] };
  expect(formatLimits({ ...limits, services }).get('time without data within a response')).toBe('no limit');
});

test('no other defaults are mentioned in the documentation for consumers', () => {
  expect(replaceLimits(consumers, limits)).not.toMatch(/\bdefaults\b(?! settings)|by default/i);
});
