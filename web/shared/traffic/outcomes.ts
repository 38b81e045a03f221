import { tableOf } from '../format/table-of.ts';

/** What each code of a refusal means for an operator. A service's own code is shown unchanged. */
const OUTCOMES = tableOf({
  served: 'Served',
  rate_limit_exceeded: 'The minute was used up',
  quota_exceeded: 'The day or month was used up',
  key_banned: 'The key was banned',
  key_missing: 'No key was sent',
  key_invalid: 'The key is not known',
  key_expired: 'The key had expired',
  key_revoked: 'The key is revoked or disabled',
  operation_not_allowed: 'The plan or key does not include the operation',
  address_not_allowed: 'The key is not allowed from the address',
  key_ambiguous: 'Two keys were sent',
  route_not_found: 'No operation has this path',
  method_not_allowed: 'The path has no such method',
  operation_sunset: 'The operation is past its sunset',
  operation_brownout: 'The operation was switched off for a while',
  cost_exceeds_limit: 'The call costs more than the limit',
  upstream_unreachable: 'The service could not be reached',
  upstream_bad_response: 'The service gave no valid answer',
  validation_failed: 'The call did not fit its description',
  body_too_large: 'The body was too large',
  overloaded: 'Too much went on at once',
  internal_error: 'Something failed on our side',
  upstream_timeout: 'The service took too long',
  store_unavailable: 'The counters could not be reached',
  too_many_failed_attempts: 'Too many bad keys from one address',
  bad_request: 'The request was malformed',
  invalid_path: 'The path had a form that is not accepted',
  request_not_found: 'No refusal was stored under this id',
  request_timeout: 'The request took too long to arrive',
  unsupported_media_type: 'The body was not JSON',
  too_many_connections: 'The key had too many WebSockets open',
  headers_too_large: 'The headers were too large',
  upgrade_not_supported: 'The operation takes no upgrade',
  starting: 'The gateway was starting',
  shutting_down: 'The gateway was shutting down',
});

export function outcomeWords(outcome: string): string | undefined {
  return OUTCOMES.get(outcome);
}
