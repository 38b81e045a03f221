import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root, startTestGateway, type TestGateway } from './gateway.ts';
import { temporaryDirectory } from '../temporary.ts';

export const contractDocument = join(root, 'test/support/services/contract.openapi.yaml');

/** A gateway before the given upstreams, whose demo key is nearly without limits. It stops at once. */
export function startPlugged(
  upstreams: readonly object[],
  settings: Record<string, unknown> = {},
  limits = { minute: 1_000_000, day: 1_000_000 },
  env: Record<string, string> = {},
): Promise<TestGateway> {
  const plans = join(temporaryDirectory(), 'plans.yaml');
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits }] }));
  return startTestGateway({ settings: { upstreams, plans, drain: { deadline: '50ms' }, ...settings }, env });
}

/** An upstream that answers the operations of the contract suite, at a URL. */
export function contractTarget(...targets: string[]) {
  return { name: 'contract', openapi: contractDocument, targets };
}
