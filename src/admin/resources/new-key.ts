import type { Limits } from '../../admission/decide.ts';
import { generateKeyId, generateSecret, keyPreview } from '../../registry/key-format.ts';
import { withoutKeys } from '../../registry/redact.ts';
import type { NewKey } from '../../registry/registry.ts';
import { toMillis } from '../../base/date-time.ts';
import { invalid } from '../http/refused.ts';

/** As the document describes it, with defaults filled in. */
export interface NewKeyBody {
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly limits: Limits | null;
  /** RFC 3339. */
  readonly expiresAt: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * @param now ms since the Unix epoch
 * @param base JSON pointer of this key within the request's body
 * @throws Refused `validation_failed`
 */
export function makeKey(body: NewKeyBody, now: number, base = ''): { key: NewKey; secret: string } {
  const { name, owner, plan, limits, metadata } = body;
  const expiresAt = body.expiresAt === null ? null : toMillis(body.expiresAt);
  if (expiresAt !== null && expiresAt <= now) throw invalid(`${base}/expiresAt`, 'must be in the future');
  const id = generateKeyId();
  const secret = generateSecret();
  const given = { name, owner, plan, limits, metadata, expiresAt };
  const key: NewKey = { id, ...given, status: 'active', ...keyPreview(secret), createdAt: now, quotaId: id };
  return { key, secret };
}

/** What is wrong with the plan of a key if there is no plan with this id. */
export function unknownPlan(id: string): string {
  return `must be the id of a plan: there is no plan ${withoutKeys(id)}`;
}
