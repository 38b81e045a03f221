import type { Clock } from './admission/store.ts';
import { generateKeyId, generateSecret, keyPreview } from './registry/key-format.ts';
import type { Registry } from './registry/registry.ts';

const PLAN = 'free';

/**
 * Creates a key to try things with, if the registry has never had a key.
 *
 * @returns its secret; null if there are keys already, or the plan for it is missing
 */
export async function createDemoKey(registry: Registry, clock: Clock): Promise<string | null> {
  const { items } = await registry.listKeys({}, { limit: 1 });
  if (items.length > 0 || (await registry.getPlan(PLAN)) === null) return null;
  const id = generateKeyId();
  const secret = generateSecret();
  const at = clock();
  await registry.createKey(
    {
      id,
      name: 'Demo',
      owner: 'demo',
      plan: PLAN,
      limits: null,
      status: 'active',
      metadata: {},
      ...keyPreview(secret),
      createdAt: at,
      expiresAt: null,
      quotaId: id,
    },
    { actor: 'system', reason: 'first start of a demo installation', at },
  );
  return secret;
}
