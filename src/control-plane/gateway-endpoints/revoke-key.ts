import { z } from 'zod';
import type { ErrorDetail } from '../../base/error-codes.ts';
import { dotted } from '../../base/configuration-faults.ts';
import { textFault } from '../../base/text.ts';
import type { Clock } from '../../base/time.ts';
import type { Action, Refusal } from '../../data-plane/ports.ts';
import type { Registry } from '../registry/registry.ts';

const MAX_REASON = 200;

const bodySchema = z.strictObject({
  reason: z
    .string('must be text')
    .max(MAX_REASON, `must be at most ${MAX_REASON} characters`)
    .superRefine((text, context) => {
      const fault = textFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .optional(),
});

/**
 * Revokes the key that was sent, and no other key of its rotation chain. The audit log has the key itself as the actor:
 * no key can make any other change.
 */
export function revokeKeyAction(registry: Pick<Registry, 'updateKey'>, clock: Clock): Action {
  return async function revokeKey({ credential: { keyId }, body }) {
    const read = readReason(body);
    if ('code' in read) return read;
    const change = { actor: keyId, reason: read.reason, at: clock() };
    await registry.updateKey(keyId, { status: 'revoked' }, change, { predecessors: false });
    return JSON.stringify({ id: keyId, status: 'revoked' });
  };
}

/** An empty body has no reason. */
function readReason(body: string): { readonly reason: string | null } | Refusal {
  if (body.trim() === '') return { reason: null };
  const parsed = bodySchema.safeParse(parseJson(body));
  if (parsed.success) return { reason: parsed.data.reason ?? null };
  const details = parsed.error.issues.map((issue): ErrorDetail => {
    return { path: `/${dotted(issue.path)}`, message: issue.message };
  });
  return { code: 'validation_failed', details };
}

/** Undefined, which no body can be, if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
