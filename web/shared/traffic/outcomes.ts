import { createTable } from '../format/table-of.ts';

/** The names of outcomes by code. A code that is not listed is shown unchanged. */
const OUTCOMES = createTable({
  served: 'Served',
  client_error: '4xx from services',
  server_error: '5xx from services',
  rate_limit_exceeded: 'Per-minute limit reached',
  quota_exceeded: 'Daily or monthly limit reached',
  key_banned: 'Key banned',
  too_many_concurrent_requests: 'Too many requests at once',
  key_missing: 'No key sent',
  key_invalid: 'Unknown key',
  key_expired: 'Key expired',
  key_revoked: 'Key revoked or disabled',
  token_invalid: 'Access token not valid',
  token_expired: 'Access token expired',
  caller_unknown: 'Caller of the access token not registered',
  insufficient_scope: 'Scopes missing in the access token',
  operation_not_allowed: 'Operation not included in the plan or key',
  address_not_allowed: 'Address not allowed for the key',
  key_ambiguous: 'More than one key sent',
  route_not_found: 'Unknown path',
  method_not_allowed: 'Method not supported by the path',
  operation_sunset: 'Operation removed after its sunset',
  operation_brownout: 'Operation temporarily switched off',
  cost_exceeds_limit: 'Call costs more than the limit',
  upstream_unreachable: 'Service unreachable',
  upstream_bad_response: 'Invalid response from the service',
  validation_failed: 'Request does not match the API description',
  body_too_large: 'Body too large',
  overloaded: 'Too many requests in progress',
  internal_error: 'Internal error',
  upstream_timeout: 'Service timed out',
  upstream_busy: 'Service busy',
  store_unavailable: 'Key or counters could not be checked',
  token_keys_unavailable: 'Keys of the issuer of tokens unavailable',
  too_many_failed_attempts: 'Too many invalid keys from one address',
  bad_request: 'Malformed request',
  invalid_path: 'Path not in normal form',
  request_not_found: 'No refusal stored for this id',
  request_timeout: 'Request took too long to arrive',
  unsupported_media_type: 'Body is not JSON',
  too_many_connections: 'Too many WebSockets open with the key',
  headers_too_large: 'Headers too large',
  upgrade_not_supported: 'Upgrade not supported by the operation',
  starting: 'Gateway starting',
  shutting_down: 'Gateway shutting down',
});

/** The codes for a status of 500 or above. They count as errors, not as refusals. */
const FAILURES: ReadonlySet<string> = new Set([
  'server_error',
  'internal_error',
  'upgrade_not_supported',
  'upstream_unreachable',
  'upstream_bad_response',
  'upstream_timeout',
  'upstream_busy',
  'store_unavailable',
  'token_keys_unavailable',
  'overloaded',
  'starting',
  'shutting_down',
]);

export function isFailure(outcome: string): boolean {
  return FAILURES.has(outcome);
}

export function findOutcomeWords(outcome: string): string | undefined {
  return OUTCOMES.get(outcome);
}
