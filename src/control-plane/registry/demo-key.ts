import { newKey } from './keys/key.ts';
import type { Clock } from '../../base/time.ts';
import { GATEWAY_PREFIX } from '../../http/path-rules.ts';
import type { Registry } from './registry.ts';
import type { Operation } from '../../openapi/openapi.ts';

const PLAN = 'free';

/**
 * Creates a key to try things with, if the registry has never had a key.
 *
 * @returns its secret; null if there are keys already, or the plan for it is missing
 */
export async function createDemoKey(registry: Registry, clock: Clock): Promise<string | null> {
  const { items } = await registry.listKeys({}, { limit: 1 });
  if (items.length > 0 || (await registry.getPlan(PLAN)) === null) return null;
  const at = clock();
  const given = { name: 'Demo', owner: 'demo', plan: PLAN, limits: null, metadata: {}, expiresAt: null };
  const { key, secret } = newKey(given, at);
  await registry.createKey(key, { actor: 'system', reason: 'first start of a demo installation', at });
  return secret;
}

/** What to try the key with: the first operation that takes neither a body nor a value in its path; else its own usage. */
export function pathToTry(operations: readonly Operation[]): string {
  const isPlain = ({ method, path, lifecycle, public: isPublic }: Operation) =>
    method === 'GET' && !path.includes('{') && !lifecycle.deprecated && !isPublic;
  return operations.find(isPlain)?.path ?? `${GATEWAY_PREFIX}usage`;
}
