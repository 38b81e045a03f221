import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { textsOf, withLimits } from './limits-in-force.ts';

const consumers = readFileSync(join(import.meta.dirname, '../../../../docs/consumers.md'), 'utf8');
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
};

test('every default in the page for consumers is replaced', () => {
  const shown = withLimits(consumers, limits);
  const rows = [...textsOf(limits)].map(
    ([name, text]) => `| ${name === 'back to 1 minute' ? 'back to 3 minutes' : name} | ${text} |`,
  );
  expect(rows.filter((row) => !shown.includes(row))).toEqual([]);
  const tables = consumers.split(/^\| (?:rule|limit) +\| default +\|$/m).slice(1);
  const listed = tables.flatMap((text) => text.trimStart().split('\n\n')[0]?.split('\n').slice(1) ?? []);
  expect(listed).toHaveLength(rows.length);
  expect(shown).not.toMatch(/These are the defaults|^\| (?:rule|limit) +\| default/m);
});

test('limits are in words', () => {
  const texts = textsOf(limits);
  expect(texts.get('length of a ban')).toBe('3 minutes, then 2 hours; all further bans, 2 hours');
  expect(texts.get('request body')).toBe('2 MB to 1 GB, depending on the service');
  expect(texts.get('time without data within a response')).toBe('33 seconds to 34 seconds, depending on the service');
  expect(texts.get('not a strike')).toContain('within 500 ms of');
});

test('services in the gateway have no timeouts', () => {
  const services = { maxBodyBytes: [1024], responseSeconds: [], idleSeconds: [] };
  expect(textsOf({ ...limits, services }).get('time without data within a response')).toBe('no limit');
});

test('until the limits are read, the guide has the defaults', () => {
  expect(withLimits(consumers, undefined)).toBe(consumers);
});
