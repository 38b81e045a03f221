type RegistryErrorCode =
  | 'key_not_found'
  | 'plan_not_found'
  | 'plan_in_use'
  | 'conflict'
  | 'invalid_cursor'
  | 'limits_mismatch'
  | 'account_not_found'
  | 'owner_taken'
  | 'email_taken'
  | 'too_many_keys'
  | 'plan_request_not_found'
  | 'plan_request_open'
  | 'account_request_not_found'
  | 'webhook_not_found'
  | 'webhook_address_not_allowed'
  | 'too_many_webhooks'
  | 'event_type_unknown'
  | 'delivery_not_found'
  | 'too_many_calls'
  | 'rate_limit_exceeded';

/** Thrown when the registry refuses a change. The message says why, and what to do. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly code: RegistryErrorCode;
  /** Time until a retry may succeed, in ms; null if waiting does not help. */
  readonly retryAfterMs: number | null;

  constructor(code: RegistryErrorCode, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
