import type { Limits } from '../admission/decide.ts';
import type { Clock } from '../admission/store.ts';
import { generateKeyId, generateSecret, tracesOf } from '../registry/key-format.ts';
import {
  RegistryError,
  type Key,
  type KeyFilter,
  type KeyPatch,
  type NewKey,
  type Registry,
} from '../registry/registry.ts';
import { keyNotFound } from '../registry/rules.ts';
import { toDateTime, toMillis } from './date-time.ts';
import { PREFIX } from './document.ts';
import { etag, ifMatching } from './if-match.ts';
import type { Call, Operations, PageQuery, Reply } from './operation.ts';
import { invalid } from './refused.ts';

export interface NewKeyBody {
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly limits: Limits | null;
  readonly expiresAt: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

type PatchBody = Omit<KeyPatch, 'expiresAt'> & { readonly expiresAt?: string | null; readonly reason?: string };

export function keyOperations(registry: Registry, clock: Clock): Operations {
  const existing = async (id: string): Promise<Key> => {
    const key = await registry.getKey(id);
    if (key === null) throw keyNotFound(id);
    return key;
  };
  const revisionOf = (id: string) => async () => (await existing(id)).revision;

  return {
    async listKeys({ query: { limit, cursor, ...filter } }: Call<undefined, PageQuery & KeyFilter>) {
      const { items, nextCursor } = await registry.listKeys(filter, { limit, cursor });
      return { status: 200, body: { items: items.map(keyJson), nextCursor } };
    },

    async createKey({ body, change }: Call<NewKeyBody>) {
      const { key, secret } = makeKey(body, clock(), '');
      return created(await tellingOfPlan(registry.createKey(key, change)), secret);
    },

    async getKey({ path: { id = '' } }: Call) {
      return found(await existing(id));
    },

    async updateKey({ path: { id = '' }, body, change, ifMatch }: Call<PatchBody>) {
      const { reason: _, expiresAt, ...rest } = body;
      const patch = expiresAt === undefined ? rest : { ...rest, expiresAt: expiresAt && toMillis(expiresAt) };
      const update = (expected?: number) => tellingOfPlan(registry.updateKey(id, patch as KeyPatch, change, expected));
      return found(await ifMatching(ifMatch, revisionOf(id), update));
    },

    async revokeKey({ path: { id = '' }, change, ifMatch }: Call) {
      await ifMatching(ifMatch, revisionOf(id), (expected) =>
        registry.updateKey(id, { status: 'revoked' }, change, expected),
      );
      return { status: 204 };
    },
  };
}

/** @throws Refused `validation_failed`, at paths that start with `base` */
export function makeKey(body: NewKeyBody, now: number, base: string): { key: NewKey; secret: string } {
  const expiresAt = body.expiresAt === null ? null : toMillis(body.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw invalid(`${base}/expiresAt`, 'must be in the future');
  const { name, owner, plan, limits, metadata } = body;
  const id = generateKeyId();
  const secret = generateSecret();
  const traces = tracesOf(secret);
  const key = {
    id,
    name,
    owner,
    plan,
    limits,
    metadata,
    status: 'active',
    ...traces,
    createdAt: now,
    expiresAt,
  } as const;
  return { key: { ...key, quotaId: id }, secret };
}

/** Here a plan is a field of the request, and not what its path names. */
async function tellingOfPlan<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'plan_not_found') throw error;
    throw invalid('/plan', 'must be the id of a plan: there is none with this id');
  }
}

/** Field by field, so that the hash is not shown. */
export function keyJson(key: Key) {
  const { id, name, owner, plan, limits, prefix, lastFour, status, metadata, quotaId, rotatedTo } = key;
  const times = {
    createdAt: toDateTime(key.createdAt),
    expiresAt: key.expiresAt === null ? null : toDateTime(key.expiresAt),
    lastUsedAt: key.lastUsedAt === null ? null : toDateTime(key.lastUsedAt),
  };
  return { id, name, owner, plan, limits, prefix, lastFour, status, metadata, ...times, quotaId, rotatedTo };
}

function found(key: Key): Reply {
  return { status: 200, body: keyJson(key), headers: { ETag: etag(key.revision) } };
}

/** The one answer that holds the secret. */
export function created(key: Key, secret: string): Reply {
  const headers = { ETag: etag(key.revision), Location: `${PREFIX}/keys/${key.id}` };
  return { status: 201, body: { ...keyJson(key), key: secret }, headers };
}
