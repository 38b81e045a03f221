import { toDateTime } from '../../../base/time.ts';
import { toGraceJson } from '../../api-server/key-grace.ts';
import { type Key, toKeyToken } from '../../registry/key.ts';
import type { Schemas } from './portal-handlers.ts';

/** A key as its owner sees it. It leaves out the data that only operators may see. */
export function toKeyJson(key: Key): Schemas['Key'] {
  const { id, name, plan, concurrent, addresses, prefix, lastFour, status, quotaId, rotatedTo } = key;
  const { kind } = key;
  const token = key.token === null ? null : toKeyToken(key.token);
  const { createdAt, expiresAt, lastUsedAt } = key;
  const times = {
    createdAt: toDateTime(createdAt),
    expiresAt: toDateTime(expiresAt),
    lastUsedAt: toDateTime(lastUsedAt),
  };
  const terms = { plan, concurrent, addresses };
  return {
    id,
    name,
    ...terms,
    kind,
    token,
    prefix,
    lastFour,
    status,
    ...times,
    quotaId,
    rotatedTo,
    grace: toGraceJson(key),
  };
}
