import { type GivenKey, newKey, type NewKey } from '../../registry/keys/key.ts';
import { withoutKeys } from '../../../http/redact-keys.ts';
import { toMillis } from '../../../base/time.ts';
import { invalid } from '../../api/http/refused.ts';

/** As the document describes it, with defaults filled in; `expiresAt` is RFC 3339. */
export type NewKeyBody = Omit<GivenKey, 'expiresAt'> & { readonly expiresAt: string | null };

/**
 * @param now ms since the Unix epoch
 * @param base JSON pointer of this key within the request's body
 * @throws Refused `validation_failed`
 */
export function makeKey(body: NewKeyBody, now: number, base = ''): { key: NewKey; secret: string } {
  const expiresAt = body.expiresAt === null ? null : toMillis(body.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw invalid(`${base}/expiresAt`, 'must be in the future');
  return newKey({ ...body, expiresAt }, now);
}

/** What is wrong with the plan of a key if there is no plan with this id. */
export function unknownPlan(id: string): string {
  return `must be the id of a plan: there is no plan ${withoutKeys(id)}`;
}
