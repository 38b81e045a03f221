import { expect, test } from '@jest/globals';
import { runCommand } from '../../support/gateway/cli.ts';
import { root } from '../../support/gateway/gateway.ts';
import { join } from 'node:path';

test('the shipped configuration has no faults, and its operations are listed', async () => {
  const { code, out, err } = await runCommand(['config', 'check'], { cwd: root });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^GET {4}\/pets\/\{petId\} +petstore deprecated$/m);
  expect(out.trimEnd().split('\n').at(-1)).toBe(`${join(root, 'config/gateway.yaml')}: no faults`);
});

test('faults are told on standard error', async () => {
  const env = { TOLLGATE_CONFIG: 'none.yaml', TOLLGATE_PORT: 'x' };
  const { code, out, err } = await runCommand(['config', 'check'], { env });
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^tollgate: the configuration has \d faults:\n {2}environment: TOLLGATE_PORT must be a port/);
});
