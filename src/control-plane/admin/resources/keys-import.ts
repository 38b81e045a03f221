import type { Clock } from '../../../base/time.ts';
import type { ErrorDetail } from '../../../base/error-details.ts';
import { RegistryError } from '../../../domain/registry-error.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Key, NewKey } from '../../registry/key.ts';
import { checkKeyLimits, type StoredPlan } from '../../../domain/plan.ts';
import { toKeyJson } from './admin-key-json.ts';
import { createNewKey, toSecretField, describeUnknownPlan, type NewKeyBody } from './keys.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { CheckOwner } from './token-callers.ts';
import type { CheckRestrictions } from './restrictions.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';

/** A key of the request, as it would be created. */
interface PlannedKey {
  readonly index: number;
  readonly body: NewKeyBody;
  readonly key: NewKey;
  readonly secret: string | null;
}

/** The operation that imports keys. It creates all keys of a request in one transaction, or none of them. */
export function createImportOperations(
  registry: Registry,
  checkRestrictions: CheckRestrictions,
  checkOwner: CheckOwner,
  clock: Clock,
): Pick<AdminOperations, 'importKeys'> {
  async function planKeys(bodies: readonly NewKeyBody[]): Promise<PlannedKey[]> {
    const plans = await registry.plansById();
    const now = clock();
    return mapCollectingErrors(bodies, (body, index) => {
      checkTerms(body, plans.get(body.plan), `/keys/${index}`);
      checkRestrictions(body, `/keys/${index}`);
      checkOwner(body.owner, `/keys/${index}`);
      return { index, body, ...createNewKey(body, now, `/keys/${index}`) };
    });
  }

  /**
   * Finds the keys that were already imported, by their index in the request.
   *
   * @throws Refused if a secret or an external id is taken
   */
  async function findImportedBefore(plannedKeys: readonly PlannedKey[]): Promise<Map<number, Key>> {
    const importedKeys = await registry.findImported(plannedKeys.map(({ key }) => key));
    const byHash = new Map(importedKeys.map((key) => [key.hash, key]));
    const byExternalId = new Map(importedKeys.map((key) => [formatExternalIdentity(key), key]));
    const seen = new Set<string>();
    const importedByIndex = new Map<number, Key>();
    mapCollectingErrors(plannedKeys, ({ index, key, body: { sha256 } }) => {
      const identity = formatExternalIdentity(key);
      const [keyWithSameId, keyWithSameHash] = [
        identity === null ? undefined : byExternalId.get(identity),
        byHash.get(key.hash),
      ];
      if (sha256 !== undefined && keyWithSameHash !== undefined && keyWithSameHash.id !== keyWithSameId?.id) {
        throw invalidField(`/keys/${index}/sha256`, `exists already: it is the secret of key ${keyWithSameHash.id}`);
      }
      if (sha256 !== undefined && keyWithSameId !== undefined && keyWithSameId.hash !== key.hash) {
        throw invalidField(`/keys/${index}/externalId`, `exists already with another secret: key ${keyWithSameId.id}`);
      }
      for (const [field, value] of [['sha256', key.hash] as const, ['externalId', identity] as const]) {
        if (value !== null && seen.has(value)) throw invalidField(`/keys/${index}/${field}`, 'is given more than once');
        if (value !== null) seen.add(value);
      }
      if (keyWithSameId !== undefined) importedByIndex.set(index, keyWithSameId);
    });
    return importedByIndex;
  }

  async function findDuplicates(plannedKeys: readonly PlannedKey[], importedByIndex: ReadonlyMap<number, Key>) {
    const keysWithoutIdentity = plannedKeys.filter(
      ({ body }) => body.sha256 === undefined && (body.externalId ?? null) === null,
    );
    const similarIds =
      keysWithoutIdentity.length === 0 ? [] : await registry.findAlike(keysWithoutIdentity.map(({ key }) => key));
    const existing = keysWithoutIdentity.flatMap(({ index }, position) => {
      const id = similarIds[position] ?? null;
      return id === null ? [] : [{ index, id }];
    });
    return { existing, unchanged: [...importedByIndex].map(([index, { id }]) => ({ index, id })) };
  }

  return {
    async importKeys({ query, body: { keys, random }, change }) {
      const plannedKeys = await planKeys(
        keys.map((key) => ({ ...key, random: key.random === true || random === true })),
      );
      const importedByIndex = await findImportedBefore(plannedKeys);
      if (query.dryRun === 'true') return { status: 200, body: await findDuplicates(plannedKeys, importedByIndex) };
      const newKeys = plannedKeys.filter(({ index }) => !importedByIndex.has(index)).map(({ key }) => key);
      if (newKeys.length > 0) await registry.createKeys(newKeys, change);
      const items = plannedKeys.map(({ index, key, secret }): Schemas['ImportedKey'] => {
        const existing = importedByIndex.get(index);
        if (existing !== undefined) return { ...toKeyJson(existing), created: false };
        return { ...toNewKeyJson(key), ...toSecretField(secret), created: true };
      });
      return { status: 201, body: { items } };
    },
  };
}

function toNewKeyJson(key: NewKey) {
  return toKeyJson({ ...key, lastUsedAt: null, rotatedTo: null, quietSince: null, lastUsedFrom: null });
}

/** Identifies a key by its owner and external id; null if it has no external id. */
function formatExternalIdentity({ owner, externalId }: Pick<Key, 'owner' | 'externalId'>): string | null {
  return externalId === null ? null : JSON.stringify([owner, externalId]);
}

/** Like `map`, but continues after an invalid item, so that all errors are reported together. @throws Refused */
function mapCollectingErrors<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Result[] {
  const details: ErrorDetail[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [work(item, index)];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      details.push(...(error.details ?? []));
      return [];
    }
  });
  if (details.length > 0) throw new Refused('validation_failed', { details });
  return results;
}

/** Checks the plan and the limits. The registry checks them too, but does not say which key is wrong. */
function checkTerms({ plan: id, limits }: NewKeyBody, plan: StoredPlan | undefined, base: string): void {
  if (plan === undefined) throw invalidField(`${base}/plan`, describeUnknownPlan(id));
  try {
    checkKeyLimits(plan, limits);
  } catch (error) {
    if (error instanceof RegistryError) throw invalidField(`${base}/limits`, error.message);
    throw error;
  }
}
