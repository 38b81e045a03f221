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
 * Common settings. Timeouts are short, so that tests see them expire. Those on incoming data are longer, because on a
 * busy machine, a client may be unable to send anything for a second.
 */
const SETTINGS = {
  plans: 'plans.yaml',
  drain: { deadline: '1s' },
  // A few long bodies at the same time use up this amount.
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
  // The limits are high, because all failed attempts come from the same address.
  guard: { failedAttempts: 1_000_000_000, publicRequests: 1_000_000_000 },
};

const PLANS = [
  { id: 'roomy', name: 'Roomy', limits: { minute: 1_000_000_000, day: 1_000_000_000 } },
  { id: 'tiny', name: 'Tiny', limits: { minute: 3, day: 1000 } },
];

/**
 * Writes the configuration of the gateway under test, with a plan of ample limits and a plan of tiny limits.
 *
 * @param own settings of the target, which replace the common ones
 * @returns the path of the file
 */
export function writeConfig(folder: string, { edge, ...own }: OwnSettings): string {
  writeFileSync(join(folder, 'plans.yaml'), stringify({ plans: PLANS }));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify({ ...SETTINGS, ...own, edge: { ...SETTINGS.edge, ...edge } }));
  return file;
}
