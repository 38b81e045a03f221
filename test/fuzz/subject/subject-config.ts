import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Settings as in a configuration file. */
export interface OwnSettings {
  readonly upstreams: readonly object[];
  readonly adminTokens?: readonly object[];
  readonly edge?: object;
}

/**
 * Timeouts are short, so that tests see them expire. Those on incoming data allow for a busy machine, where a client
 * may not get to send for a second.
 */
const SETTINGS = {
  plans: 'plans.yaml',
  drain: { deadline: '1s' },
  // A few long bodies at once use it up.
  validation: { maxBody: '256kb', maxBuffered: '1mb' },
  edge: {
    headersTimeout: '3s',
    requestTimeout: '4s',
    keepAlive: '2s',
    tunnelIdle: '1s',
    writeTimeout: '1s',
    maxTunnels: 1,
    maxBody: '256kb',
  },
  // All failed attempts come from one address.
  guard: { failedAttempts: 1_000_000_000, publicRequests: 1_000_000_000 },
};

const PLANS = [
  { id: 'roomy', name: 'Roomy', limits: { minute: 1_000_000_000, day: 1_000_000_000 } },
  { id: 'tiny', name: 'Tiny', limits: { minute: 3, day: 1000 } },
];

/**
 * Writes the configuration of the gateway under test, with one plan with ample limits and one with tiny limits.
 *
 * @param own settings of one target, which replace the common ones
 * @returns the file
 */
export function writeConfig(folder: string, { edge, ...own }: OwnSettings): string {
  writeFileSync(join(folder, 'plans.yaml'), stringify({ plans: PLANS }));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify({ ...SETTINGS, ...own, edge: { ...SETTINGS.edge, ...edge } }));
  return file;
}
