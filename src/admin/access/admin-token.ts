/** A token that grants access to the admin API. */
export interface AdminToken {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
  /** A `viewer` may only read. */
  readonly role: 'admin' | 'viewer';
  readonly secret: string;
}
