/** A token that grants access to the admin API. */
export type AdminToken = OperatorToken | PublisherToken;

interface NamedToken {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
  readonly secret: string;
}

/** Of somebody who operates the gateway. */
export interface OperatorToken extends NamedToken {
  /** A `viewer` may only read. */
  readonly role: 'admin' | 'viewer';
}

/** Of a service, which may publish its events, and nothing else. */
export interface PublisherToken extends NamedToken {
  readonly role: 'publisher';
  /** The upstream in whose name it publishes. */
  readonly upstream: string;
}
