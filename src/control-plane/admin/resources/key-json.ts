import { type Key, keyNotFound, shownKeyFields } from '../../registry/key.ts';
import type { Registry } from '../../registry/registry.ts';
import { toDateTime } from '../../../base/time.ts';
import { PREFIX } from './document.ts';
import { etag } from '../../api/read-request.ts';
import type { Reply } from './operation.ts';

/** @throws RegistryError `key_not_found` */
export async function existingKey(registry: Registry, id: string): Promise<Key> {
  const key = await registry.getKey(id);
  if (key === null) throw keyNotFound(id);
  return key;
}

/** A key as the API shows it: without its hash, and with times in RFC 3339. */
export function keyJson(key: Omit<Key, 'revision'>) {
  const shown = Object.fromEntries(shownKeyFields.map((field) => [field, key[field]]));
  return {
    ...(shown as Pick<Key, (typeof shownKeyFields)[number]>),
    createdAt: toDateTime(key.createdAt),
    expiresAt: key.expiresAt === null ? null : toDateTime(key.expiresAt),
    lastUsedAt: key.lastUsedAt === null ? null : toDateTime(key.lastUsedAt),
  };
}

export function found(key: Key): Reply {
  return { status: 200, body: keyJson(key), headers: { ETag: etag(key.revision) } };
}

/** Includes the secret, which no other response does. */
export function created(key: Key, secret: string): Reply {
  const headers = { ETag: etag(key.revision), Location: `${PREFIX}/keys/${key.id}` };
  return { status: 201, body: { ...keyJson(key), key: secret }, headers };
}
