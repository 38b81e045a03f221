/** What opens the admin API. */
export interface AdminToken {
  /** Who acts with it: the actor of the audit log. */
  readonly name: string;
  /** A `viewer` may only read. */
  readonly role: 'admin' | 'viewer';
  readonly secret: string;
}
