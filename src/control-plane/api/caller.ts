/** Who makes a request. */
export interface ApiCaller {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
}
