import type { AuditAction } from './audit-action.ts';

/** Who makes a change, when and why: recorded with it in the audit log. */
export interface ChangeContext {
  /** The name of the admin token, the id of the account or key that is signed in to the portal, or `system`. */
  readonly actor: string;
  readonly reason: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface AuditEntry extends ChangeContext {
  /** A positive integer that rises with every entry. */
  readonly sequence: number;
  readonly action: AuditAction;
  /** The id of the key, plan, account or plan request. */
  readonly subject: string;
  /** What changed: the whole record at its creation, after that the changed fields. Never a secret or its hash. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export interface AuditFilter {
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive, milliseconds since the Unix epoch. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
}
