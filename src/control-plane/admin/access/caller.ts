import type { Session } from '../sessions/session.ts';
import type { AdminToken } from './admin-token.ts';

export type Role = AdminToken['role'];

/** Who makes a request: somebody with a token, or with a session. */
export interface Caller {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
  readonly role: Role;
  readonly token: AdminToken | null;
  readonly session: Session | null;
}

/** Somebody who is about to sign in. */
export const NOBODY: Caller = { name: '', role: 'viewer', token: null, session: null };
