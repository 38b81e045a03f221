import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import { computeDrainLimitMs } from '../../src/config/drain-settings.ts';
import { Faults } from '../../src/base/configuration-faults.ts';
import { root } from '../support/gateway/gateway.ts';

const unit = readFileSync(join(root, 'deploy/systemd/tollgate.service'), 'utf8');

function findValues(name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

test('the unit runs an existing file and sets only known variables', () => {
  const [program = '', file = ''] = findValues('ExecStart')[0]?.split(' ') ?? [];
  for (const path of [program, file]) {
    expect(path).toMatch(/^\/opt\/tollgate\//);
    expect(existsSync(join(root, path.replace('/opt/tollgate/', '')))).toBe(true);
  }
  const variables = findValues('Environment').map((line) => line.split('=') as [string, string]);
  const faults = new Faults();
  readEnvironment(Object.fromEntries(variables.filter(([name]) => name.startsWith('TOLLGATE_'))), faults);
  expect(() => faults.throwIfAny()).not.toThrow();
});

test('the unit waits for the whole drain, and allows writing only to its own folder', () => {
  const { drain } = loadConfig({}, root).fixed;
  expect(Number(findValues('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(computeDrainLimitMs(drain));
  expect(findValues('ProtectSystem')).toEqual(['strict']);
  expect(findValues('Environment')).toContain(`TOLLGATE_DATA_DIR=/var/lib/${findValues('StateDirectory')[0]}`);
});

test('the unit grants only the permissions that are needed', () => {
  for (const name of ['NoNewPrivileges', 'DynamicUser', 'PrivateDevices', 'PrivateTmp', 'RestrictNamespaces']) {
    expect({ name, values: findValues(name) }).toEqual({ name, values: ['yes'] });
  }
  expect(findValues('CapabilityBoundingSet')).toEqual(['']);
});
