import { generateKeyId, generateSecret, keyPreview } from '../../../base/key-format.ts';
import type { KeySettings, NewKey, Successor } from './key.ts';

/** What whoever makes a key decides about it; the rest is generated. */
export type GivenKey = Pick<NewKey, 'owner'> & KeySettings;

/** A new key that begins a rotation chain of its own. Nothing is stored yet. */
export function newKey(given: GivenKey, createdAt: number): { key: NewKey; secret: string } {
  const { successor, secret } = newSuccessor(createdAt);
  return { key: { ...given, status: 'active', quotaId: successor.id, ...successor }, secret };
}

/** What is new about a key that takes the place of another. Nothing is stored yet. */
export function newSuccessor(createdAt: number): { successor: Successor; secret: string } {
  const secret = generateSecret();
  return { successor: { id: generateKeyId(), ...keyPreview(secret), createdAt }, secret };
}
