import { convertHexHash } from '../../../domain/key-format.ts';
import { RegistryError } from '../../../domain/registry-error.ts';
import { type Clock, toDateTime, toMillis } from '../../../base/time.ts';
import { toCreatedResponse, requireKey, toKeyResponse, toKeyJson } from './admin-key-json.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import type { RefuseUnknown } from './known-values.ts';
import { loadUsages } from './quotas.ts';
import { findBansOfOwner, toTimedFilter } from './timed-key-filters.ts';
import { parseOrder } from './sort-order.ts';
import { type CallerTerms, type CheckOwner, readNewCaller, toIssuerFilter } from './token-callers.ts';
import type { TokenIssuer } from '../../../domain/token-caller.ts';
import type { CheckRestrictions } from './restrictions.ts';
import { loadGraceJson, readGrace } from '../../api-server/key-grace.ts';
import type { HistoryStore } from '../../history/store/history-store.ts';
import { changeIfMatching } from '../../api-server/read-request.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';
import {
  type Key,
  type KeyPatch,
  generateSuccessor,
  type NewKeyFields,
  createImportedKey,
  generateKey,
  type NewKey,
} from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { AdmissionStore } from '../../../data-plane/boundary-types.ts';
import { replaceKeys } from '../../../http/redact-keys.ts';

interface KeyOperationDependencies {
  readonly refuseUnknown: RefuseUnknown;
  readonly checkRestrictions: CheckRestrictions;
  readonly history: HistoryStore;
  readonly accounts: Pick<Accounts, 'findByOwners' | 'addCaller' | 'forgetCaller'>;
  readonly checkOwner: CheckOwner;
  readonly tokenIssuers: readonly TokenIssuer[];
  readonly defaultPlan: string;
  /** `rotation.maxGrace`, in ms. */
  readonly maxGraceMs: number;
  readonly clock: Clock;
}

export function createKeyOperations(
  registry: Registry,
  store: AdmissionStore,
  dependencies: KeyOperationDependencies,
): Pick<AdminOperations, 'listKeys' | 'createKey' | 'getKey' | 'updateKey' | 'revokeKey' | 'rotateKey' | 'forgetKey'> {
  const { refuseUnknown, checkRestrictions, checkOwner, tokenIssuers, defaultPlan } = dependencies;
  const { history, accounts, maxGraceMs, clock } = dependencies;
  const callerSettings = { issuers: tokenIssuers, checkOwner, defaultPlan };
  const readRevision = (id: string) => async () => (await requireKey(registry, id)).revision;

  return {
    async listKeys({
      query: { limit, cursor, q: search, include, unusedFor, state, expiresWithin, sort, token, ...exactFilters },
    }) {
      const now = clock();
      const bans =
        state === 'banned' ? (await findBansOfOwner(registry, store, exactFilters.owner, now)).starts : undefined;
      const filter = {
        ...exactFilters,
        ...toIssuerFilter(token, tokenIssuers),
        search,
        ...toTimedFilter({ unusedFor, expiresWithin, state }, now),
        quotaIds: bans?.map(({ subject }) => subject),
      };
      const page = await registry.listKeys(filter, { limit, cursor }, parseOrder(sort));
      if (page.items.length === 0) await refuseUnknown({ ...exactFilters, token });
      const [usages, accountsByOwner] = await Promise.all([
        include === undefined ? null : loadUsages(page.items, registry, store),
        accounts.findByOwners([...new Set(page.items.map(({ owner }) => owner))]),
      ]);
      const items = page.items.map((key, index) => {
        const usage = usages?.[index];
        const account = accountsByOwner.get(key.owner) ?? null;
        return { ...toKeyJson(key), account, ...(usage === undefined ? {} : { usage }) };
      });
      return { status: 200, body: { ...page, items } };
    },

    async createKey({ body, change }) {
      checkRestrictions(body);
      if (body.kind === 'token') {
        const caller = readNewCaller(body, readTerms(body, clock()), callerSettings);
        return toCreatedResponse(await withPlanAsField(caller.plan ?? '', accounts.addCaller(caller, change)), {});
      }
      const given = readKeyToCreate(body);
      checkOwner(given.owner);
      const { key, secret } = createNewKey(given, clock());
      return toCreatedResponse(await withPlanAsField(key.plan, registry.createKey(key, change)), toSecretField(secret));
    },

    async getKey({ path: { id } }) {
      const key = await requireKey(registry, id);
      const [waitingKeys, accountsByOwner] = await Promise.all([
        registry.keysWaitingBefore(id),
        accounts.findByOwners([key.owner]),
      ]);
      const account = accountsByOwner.get(key.owner) ?? null;
      const now = clock();
      const replaced = await Promise.all(
        waitingKeys.map(async (each) => toReplacedJson(each, await loadGrace(each, now))),
      );
      const grace = await loadGrace(key, now);
      return toKeyResponse(key, { grace, account, ...(replaced.length === 0 ? {} : { replaced }) });
    },

    async updateKey({ path: { id }, query, body, change, ifMatch }) {
      checkRestrictions(body);
      const { expiresAt, ...rest } = body;
      const patch: KeyPatch =
        expiresAt === undefined ? rest : { ...rest, expiresAt: expiresAt === null ? null : toMillis(expiresAt) };
      const update = (revision?: number) =>
        withPlanAsField(
          patch.plan ?? '',
          registry.updateKey(id, patch, change, { revision, wholeChain: query.chain === 'true' }),
        );
      return toKeyResponse(await changeIfMatching(ifMatch, readRevision(id), update));
    },

    async revokeKey({ path: { id }, query, change, ifMatch }) {
      await changeIfMatching(ifMatch, readRevision(id), (revision) =>
        registry.updateKey(id, { status: 'revoked' }, change, { revision, wholeChain: query.chain === 'true' }),
      );
      return { status: 204 };
    },

    async forgetKey({ path: { id }, change }) {
      const { quotaId } = await accounts.forgetCaller(history, id, change);
      // The quota of an account is not the caller's own.
      if (quotaId === id) {
        await store.lift(id);
        await store.reset(id);
      }
      return { status: 204 };
    },

    async rotateKey({ path: { id }, body, change }) {
      const now = clock();
      const grace = readGrace(body, now, maxGraceMs);
      const { successor, secret } = generateSuccessor(now);
      return toCreatedResponse(await registry.rotateKey(id, successor, grace, change), { key: secret });
    },
  };

  function loadGrace(key: Key, now: number) {
    return loadGraceJson(key, history, now);
  }
}

function toReplacedJson({ id, prefix, lastFour, expiresAt, lastUsedAt }: Key, grace: Schemas['KeyGrace']) {
  return { id, prefix, lastFour, expiresAt: toDateTime(expiresAt), lastUsedAt: toDateTime(lastUsedAt), grace };
}

/** Reports an unknown plan as a fault in the body, because here the plan is a field of the body. */
export async function withPlanAsField<T>(plan: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'plan_not_found')
      throw invalidField('/plan', describeUnknownPlan(plan));
    throw error;
  }
}

/** @throws Refused `validation_failed` */
function readKeyToCreate({ kind, token, name, owner, plan, ...given }: Schemas['KeyToCreate']): NewKeyBody {
  if (token !== undefined) throw invalidField('/token', 'is allowed only for a key of kind token');
  if (name === undefined || owner === undefined || plan === undefined) {
    const missing = Object.entries({ name, owner, plan }).filter(([, value]) => value === undefined);
    const details = missing.map(([field]) => ({ path: `/${field}`, message: 'is required' }));
    throw new Refused('validation_failed', { details });
  }
  return { name, owner, plan, ...given };
}

/** @throws Refused `validation_failed` */
function readTerms(body: Schemas['KeyToCreate'], now: number): CallerTerms {
  const { limits, concurrent, operations, addresses, validation, metadata } = body;
  return {
    limits,
    concurrent,
    operations,
    addresses,
    validation,
    metadata,
    expiresAt: readExpiry(body.expiresAt, now),
  };
}

/** A new key as in the OpenAPI document, with defaults filled in. `expiresAt` is in RFC 3339 format. */
export type NewKeyBody = Omit<NewKeyFields, 'expiresAt'> & {
  readonly expiresAt: string | null;
  /** SHA-256 of an existing secret, in hexadecimal. `prefix` and `lastFour` come from this secret. */
  readonly sha256?: string;
  readonly prefix?: string;
  readonly lastFour?: string;
  /** Whether the operator declares that the secret is random. */
  readonly random?: boolean;
};

/** The response's field with a new secret. The field is missing if the key was created with an existing secret. */
export function toSecretField(secret: string | null): { key?: string } {
  return secret === null ? {} : { key: secret };
}

/**
 * @param now ms since the Unix epoch
 * @param base JSON pointer of this key within the request's body
 * @throws Refused `validation_failed`
 */
export function createNewKey(body: NewKeyBody, now: number, base = ''): { key: NewKey; secret: string | null } {
  const { sha256, prefix = '', lastFour = '', random, ...fields } = body;
  const expiresAt = readExpiry(body.expiresAt, now, base);
  if (sha256 === undefined) return generateKey({ ...fields, expiresAt }, now);
  if (random !== true) throw invalidField(`${base}/sha256`, NOT_DECLARED);
  const preview = { hash: convertHexHash(sha256), prefix, lastFour };
  return { key: createImportedKey({ ...fields, expiresAt }, preview, now), secret: null };
}

function readExpiry(text: string | null, now: number, base = ''): number | null {
  const expiresAt = text === null ? null : toMillis(text);
  if (expiresAt !== null && expiresAt <= now) throw invalidField(`${base}/expiresAt`, 'must be in the future');
  return expiresAt;
}

const NOT_DECLARED =
  'is accepted only with "random": true, which declares that the secret is random, with at least 128 bits';

/** Describes the fault of a key whose plan does not exist. */
export function describeUnknownPlan(id: string): string {
  return `must be the id of a plan: there is no plan ${replaceKeys(id)}`;
}
