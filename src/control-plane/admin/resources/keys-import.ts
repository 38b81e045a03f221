import type { Clock } from '../../../base/time.ts';
import type { ErrorDetail } from '../../../base/error-details.ts';
import { RegistryError } from '../../../domain/registry-error.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Key, NewKey } from '../../registry/key.ts';
import { checkKeyLimits, type StoredPlan } from '../../../domain/plan.ts';
import { keyJson } from './admin-key-json.ts';
import { makeKey, secretField, unknownPlan, type NewKeyBody } from './keys.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { CheckRestrictions } from './restrictions.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';

/** A key of the request, as it would be created. */
interface Wanted {
  readonly index: number;
  readonly body: NewKeyBody;
  readonly key: NewKey;
  readonly secret: string | null;
}

/** The operation that imports keys. It creates all keys of a request in one transaction, or none of them. */
export function importOperations(
  registry: Registry,
  checkRestrictions: CheckRestrictions,
  clock: Clock,
): Pick<AdminOperations, 'importKeys'> {
  async function readWanted(bodies: readonly NewKeyBody[]): Promise<Wanted[]> {
    const plans = await registry.plansById();
    const now = clock();
    return collect(bodies, (body, index) => {
      checkTerms(body, plans.get(body.plan), `/keys/${index}`);
      checkRestrictions(body, `/keys/${index}`);
      return { index, body, ...makeKey(body, now, `/keys/${index}`) };
    });
  }

  /**
   * Finds the keys that were already imported, by their index in the request.
   *
   * @throws Refused if a secret or an external id is taken
   */
  async function importedBefore(wanted: readonly Wanted[]): Promise<Map<number, Key>> {
    const found = await registry.findImported(wanted.map(({ key }) => key));
    const byHash = new Map(found.map((key) => [key.hash, key]));
    const byExternalId = new Map(found.map((key) => [externalIdentity(key), key]));
    const seen = new Set<string>();
    const before = new Map<number, Key>();
    collect(wanted, ({ index, key, body: { sha256 } }) => {
      const identity = externalIdentity(key);
      const [sameId, sameHash] = [identity === null ? undefined : byExternalId.get(identity), byHash.get(key.hash)];
      if (sha256 !== undefined && sameHash !== undefined && sameHash.id !== sameId?.id) {
        throw invalidField(`/keys/${index}/sha256`, `exists already: it is the secret of key ${sameHash.id}`);
      }
      if (sha256 !== undefined && sameId !== undefined && sameId.hash !== key.hash) {
        throw invalidField(`/keys/${index}/externalId`, `exists already with another secret: key ${sameId.id}`);
      }
      for (const [field, value] of [['sha256', key.hash] as const, ['externalId', identity] as const]) {
        if (value !== null && seen.has(value)) throw invalidField(`/keys/${index}/${field}`, 'is given more than once');
        if (value !== null) seen.add(value);
      }
      if (sameId !== undefined) before.set(index, sameId);
    });
    return before;
  }

  async function dryRun(wanted: readonly Wanted[], before: ReadonlyMap<number, Key>) {
    const others = wanted.filter(({ body }) => body.sha256 === undefined && (body.externalId ?? null) === null);
    const alike = others.length === 0 ? [] : await registry.findAlike(others.map(({ key }) => key));
    const existing = others.flatMap(({ index }, place) => {
      const id = alike[place] ?? null;
      return id === null ? [] : [{ index, id }];
    });
    return { existing, unchanged: [...before].map(([index, { id }]) => ({ index, id })) };
  }

  return {
    async importKeys({ query, body: { keys, random }, change }) {
      const wanted = await readWanted(keys.map((key) => ({ ...key, random: key.random === true || random === true })));
      const before = await importedBefore(wanted);
      if (query.dryRun === 'true') return { status: 200, body: await dryRun(wanted, before) };
      const made = wanted.filter(({ index }) => !before.has(index)).map(({ key }) => key);
      if (made.length > 0) await registry.createKeys(made, change);
      const items = wanted.map(({ index, key, secret }): Schemas['ImportedKey'] => {
        const existing = before.get(index);
        if (existing !== undefined) return { ...keyJson(existing), created: false };
        return { ...newKeyJson(key), ...secretField(secret), created: true };
      });
      return { status: 201, body: { items } };
    },
  };
}

function newKeyJson(key: NewKey) {
  return keyJson({ ...key, lastUsedAt: null, rotatedTo: null, quietSince: null, lastUsedFrom: null });
}

/** Identifies a key by its owner and external id; null if it has no external id. */
function externalIdentity({ owner, externalId }: Pick<Key, 'owner' | 'externalId'>): string | null {
  return externalId === null ? null : JSON.stringify([owner, externalId]);
}

/** Like `map`, but continues after an invalid item, so that all errors are reported together. @throws Refused */
function collect<Item, Result>(items: readonly Item[], work: (item: Item, index: number) => Result): Result[] {
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
  if (plan === undefined) throw invalidField(`${base}/plan`, unknownPlan(id));
  try {
    checkKeyLimits(plan, limits);
  } catch (error) {
    if (error instanceof RegistryError) throw invalidField(`${base}/limits`, error.message);
    throw error;
  }
}
