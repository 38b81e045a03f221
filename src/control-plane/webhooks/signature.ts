import { createHmac, randomBytes } from 'node:crypto';

/** Secrets and signatures as Standard Webhooks 1.0.0 describes them. */

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** @returns `whsec_` and the base64 of 32 random bytes */
export function generateSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

interface SignedMessage {
  /** The same for every attempt. */
  readonly id: string;
  /** Time of the attempt, in whole seconds since the Unix epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The value of `webhook-signature`.
 *
 * @param secrets one secret, or two while a new secret replaces the old one
 */
export function createSignature(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
