import { z } from 'zod';
import type { ErrorDetail } from '../../base/error-details.ts';
import { formatPath } from '../../base/configuration-faults.ts';
import { StoreUnavailable } from '../../base/error-types.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { findTextFault } from '../../base/text.ts';
import type { Clock } from '../../base/time.ts';
import type { Action, Refusal } from '../../data-plane/boundary-types.ts';
import { BEARER_CHALLENGE } from '../../http/headers.ts';
import { RETRY_SOON } from '../../http/retry-after.ts';
import type { Registry } from '../registry/registry.ts';

const MAX_REASON_LENGTH = 200;

const bodySchema = z.strictObject({
  reason: z
    .string('must be text')
    .max(MAX_REASON_LENGTH, `must be at most ${MAX_REASON_LENGTH} characters`)
    .superRefine((text, context) => {
      const fault = findTextFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .optional(),
});

/**
 * Revokes the key that the request was sent with, and no other key of its rotation chain. The audit log records the key
 * itself as the actor. This is the only change that a key can make.
 */
export function createRevokeKeyAction(registry: Pick<Registry, 'updateKey'>, clock: Clock): Action {
  return async function revokeKey({ credential: { keyId, kind }, body }) {
    if (kind === 'token') return NOT_BY_TOKEN_REFUSAL;
    const result = readReason(body);
    if ('code' in result) return result;
    const change = { actor: keyId, reason: result.reason, at: clock() };
    try {
      await registry.updateKey(keyId, { status: 'revoked' }, change, { predecessors: false });
    } catch (error) {
      if (error instanceof StoreUnavailable) return UNKNOWN_OUTCOME_REFUSAL;
      if (error instanceof RegistryError && error.code === 'key_not_found') return NO_SUCH_KEY_REFUSAL;
      throw error;
    }
    return JSON.stringify({ id: keyId, status: 'revoked' });
  };
}

/** The users of an app often share its caller, so none of them may end it for the others. */
const NOT_BY_TOKEN_REFUSAL: Refusal = {
  code: 'operation_not_allowed',
  message: 'A caller with access tokens cannot revoke itself. Ask the operators of the API to revoke it.',
};

/** The refusal if the database is unavailable. It may still have made the change, and only its confirmation was lost. */
const UNKNOWN_OUTCOME_REFUSAL: Refusal = {
  code: 'store_unavailable',
  message:
    'The database is unavailable, so the key may not be revoked yet. Repeat the call after the time given in Retry-After, ' +
    'until it is answered with 200 or key_revoked. If the leak cannot wait, ask the operators of the API for help.',
  headers: ['Retry-After', RETRY_SOON],
};

/** The refusal if the key is deleted from the database but still cached. */
const NO_SUCH_KEY_REFUSAL: Refusal = { code: 'key_invalid', headers: ['WWW-Authenticate', BEARER_CHALLENGE] };

/** Reads the reason, which is optional: an empty body means no reason. */
function readReason(body: string): { readonly reason: string | null } | Refusal {
  if (body.trim() === '') return { reason: null };
  const parsed = bodySchema.safeParse(parseJson(body));
  if (parsed.success) return { reason: parsed.data.reason ?? null };
  const details = parsed.error.issues.map((issue): ErrorDetail => {
    return { path: `/${formatPath(issue.path)}`, message: issue.message };
  });
  return { code: 'validation_failed', details };
}

/** Parses JSON. Returns undefined if the text is invalid, because valid JSON never has this value. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
