/** Prometheus itself evaluates the alerts about token issuers and about gateways whose configurations differ. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { root } from '../../support/gateway/gateway.ts';
import { installPrograms, isOnPath } from '../../support/servers/install-programs.js';

beforeAll(() => {
  installPrograms([
    {
      name: 'promtool',
      isThere: () => isOnPath('promtool'),
      apt: 'prometheus',
      brew: 'prometheus',
      others: 'see prometheus.io/download',
    },
  ]);
});

/** @returns the output, which has a line with `SUCCESS` for each file */
async function runPromtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('promtool', args, { cwd: root });
  return stdout;
}

test('Prometheus can load all alert rules', async () => {
  expect(await runPromtool('check', 'rules', 'ops/prometheus-alerts.yaml')).toContain('SUCCESS: 30 rules found');
});

test('the alerts about token issuers and about different gateways fire after their time, and not before', async () => {
  const rules = join('test', 'telemetry', 'metrics', 'alert-rules.yaml');
  expect(await runPromtool('test', 'rules', rules)).toContain('SUCCESS');
});
