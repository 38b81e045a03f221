import { type Key, createKeyNotFoundError, toKeyToken } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { toDateTime } from '../../../base/time.ts';
import { PREFIX } from './admin-document.ts';
import { toGraceJson } from '../../api-server/key-grace.ts';
import { formatEtag } from '../../api-server/read-request.ts';
import type { Schemas } from './admin-handlers.ts';

/** @throws RegistryError `key_not_found` */
export async function requireKey(registry: Registry, id: string): Promise<Key> {
  const key = await registry.getKey(id);
  if (key === null) throw createKeyNotFoundError(id);
  return key;
}

/** Copies each field by name, so that a secret passed along with a key is never sent. */
export function toKeyJson(key: Omit<Key, 'revision'>): Schemas['Key'] {
  const { id, name, owner, plan, limits, concurrent, operations, addresses, validation } = key;
  const { prefix, lastFour, status, externalId, metadata, quotaId, rotatedTo, kind } = key;
  const token = key.token === null ? null : toKeyToken(key.token);
  const times = {
    createdAt: toDateTime(key.createdAt),
    expiresAt: toDateTime(key.expiresAt),
    lastUsedAt: toDateTime(key.lastUsedAt),
  };
  const terms = { plan, limits, concurrent, operations, addresses, validation };
  const ends = { rotatedTo, grace: toGraceJson(key) };
  return {
    id,
    name,
    owner,
    ...terms,
    kind,
    token,
    prefix,
    lastFour,
    externalId,
    status,
    metadata,
    ...times,
    quotaId,
    ...ends,
  };
}

/** @param extraFields fields that only some responses have */
export function toKeyResponse(key: Key, extraFields: Pick<Schemas['Key'], 'grace' | 'replaced'> | object = {}) {
  return {
    status: 200 as const,
    body: { ...toKeyJson(key), ...extraFields },
    headers: { ETag: formatEtag(key.revision) },
  };
}

/** The response to creating a key. It is the only response that includes the new secret, if there is one. */
export function toCreatedResponse<Secret extends { readonly key?: string }>(key: Key, secret: Secret) {
  const headers = { ETag: formatEtag(key.revision), Location: `${PREFIX}/keys/${key.id}` };
  return { status: 201 as const, body: { ...toKeyJson(key), ...secret }, headers };
}
