import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** As in a configuration file. */
export interface OwnSettings {
  readonly upstreams: readonly object[];
  readonly adminTokens?: readonly object[];
  readonly edge?: object;
}

/**
 * Limits in time are short: what waits for one is to be seen to end. Those on what arrives leave room for a busy machine,
 * which may keep a client from sending for a second.
 */
const SETTINGS = {
  plans: 'plans.yaml',
  drain: { deadline: '1s' },
  edge: {
    headersTimeout: '3s',
    requestTimeout: '4s',
    keepAlive: '2s',
    tunnelIdle: '1s',
    writeTimeout: '1s',
    maxTunnels: 1,
    maxBody: '256kb',
  },
  // Failed attempts of all scripts come from one address.
  guard: { failedAttempts: 1_000_000_000, publicRequests: 1_000_000_000 },
};

const PLANS = [
  { id: 'roomy', name: 'Roomy', limits: { minute: 1_000_000_000, day: 1_000_000_000 } },
  { id: 'tiny', name: 'Tiny', limits: { minute: 3, day: 1000 } },
];

/**
 * Writes the configuration of a gateway under test, with a plan that has room and one that has next to none.
 *
 * @param own of one target, in place of those that all share
 * @returns the file
 */
export function writeConfig(folder: string, { edge, ...own }: OwnSettings): string {
  writeFileSync(join(folder, 'plans.yaml'), stringify({ plans: PLANS }));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify({ ...SETTINGS, ...own, edge: { ...SETTINGS.edge, ...edge } }));
  return file;
}
