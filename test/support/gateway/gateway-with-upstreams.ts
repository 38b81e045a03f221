import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root, startTestGateway, type TestGateway } from './gateway.ts';
import { temporaryDirectory } from '../temporary.ts';

export const contractDocument = join(root, 'test/support/services/contract.openapi.yaml');

/**
 * Starts a gateway in front of the given upstreams. By default, the demo key is practically unlimited. The gateway
 * stops without waiting for connections.
 */
export function startGatewayWithUpstreams(
  upstreams: readonly object[],
  settings: Record<string, unknown> = {},
  limits = { minute: 1_000_000, day: 1_000_000 },
  env: Record<string, string> = {},
): Promise<TestGateway> {
  const plans = join(temporaryDirectory(), 'plans.yaml');
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits }] }));
  return startTestGateway({ settings: { upstreams, plans, drain: { deadline: '50ms' }, ...settings }, env });
}

/** An HTTP upstream with the operations of the contract suite. */
export function contractTarget(...targets: string[]) {
  // The timeout is long, because on a busy machine, connecting can take seconds.
  return { name: 'contract', openapi: contractDocument, targets, timeouts: { connect: '20s' } };
}
