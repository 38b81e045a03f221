import { generateKeyId, generateSecret, createKeyPreview } from '../../src/domain/key-format.ts';
import type { NewKey, Successor } from '../../src/control-plane/registry/key.ts';
import type { Plan } from '../../src/domain/plan.ts';

const terms = {
  description: '',
  priceText: '',
  concurrent: null,
  custom: false,
  mode: 'enforce',
  onStoreFailure: 'local',
  operations: null,
} as const;
export const free: Plan = { ...terms, id: 'free', name: 'Free', limits: { minute: 60, day: 1000 } };
export const pro: Plan = { ...terms, id: 'pro', name: 'Pro', limits: { minute: 300, day: 10_000 }, mode: 'shadow' };
export const enterprise: Plan = { ...terms, id: 'enterprise', name: 'Enterprise', limits: null, custom: true };

export function createSuccessor(): Successor {
  return { id: generateKeyId(), kind: 'secret', ...createKeyPreview(generateSecret()), createdAt: 1_700_000_000_000 };
}

/** Creates a key on the plan Free. `over` replaces fields. */
export function createNewKey(over: Partial<NewKey> = {}): NewKey {
  const own = createSuccessor();
  return {
    ...own,
    token: null,
    name: 'a key',
    owner: 'acme',
    plan: 'free',
    limits: null,
    concurrent: null,
    operations: null,
    addresses: null,
    validation: null,
    externalId: null,
    status: 'active',
    metadata: {},
    expiresAt: null,
    quotaId: own.id,
    ...over,
  };
}
