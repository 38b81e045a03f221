import { type ErrorDetail, MAX_DETAILS } from '../base/error-details.ts';

type ErrorTable = Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** API errors. docs/errors.md has a table of each group (`npm run docs`). */
export const callErrors = {
  bad_request: { status: 400, message: 'The request is malformed.' },
  invalid_path: {
    status: 400,
    message: 'The path is not normalized. Remove empty segments, dot segments and unnecessary percent-encoding.',
  },
  validation_failed: { status: 400, message: 'The request does not match the API description. See details.' },
  key_ambiguous: { status: 400, message: 'More than one API key was sent. Send exactly one, in X-API-Key.' },
  key_missing: {
    status: 401,
    message: 'No API key was sent. Send one as X-API-Key: <API_KEY> or Authorization: Bearer <API_KEY>.',
  },
  key_invalid: { status: 401, message: 'The API key is not valid. Check that you copied all of it.' },
  key_expired: { status: 401, message: 'The API key has expired. Use another key, or ask for a new one.' },
  key_revoked: { status: 401, message: 'The API key is disabled or revoked. Use another key, or ask for a new one.' },
  token_invalid: { status: 401, message: 'The access token is not valid. Get a new one from your identity provider.' },
  token_expired: { status: 401, message: 'The access token has expired. Get a new one from your identity provider.' },
  key_banned: {
    status: 403,
    message: 'The API key is temporarily banned. Wait for the time given in Retry-After.',
  },
  operation_not_allowed: {
    status: 403,
    message: "The API key's plan does not include this operation. Ask for a plan that does.",
  },
  address_not_allowed: {
    status: 403,
    message: 'The API key cannot be used from this IP address. Its owner can allow more addresses.',
  },
  caller_unknown: {
    status: 403,
    message: 'The access token is valid, but its caller has no access to this API. Ask the operators to add it.',
  },
  insufficient_scope: {
    status: 403,
    message: 'The access token does not have the scopes that this operation requires. See details.',
  },
  cost_exceeds_limit: {
    status: 403,
    message: 'The request costs more than the plan allows per minute. Use a plan with a higher limit.',
  },
  route_not_found: { status: 404, message: 'There is no operation at this path.' },
  request_not_found: {
    status: 404,
    message:
      "No refused request with this id is stored. The request may have been served, or sent without a valid key. Refusals are stored for 48 hours. If there are very many in a minute, only some are stored. A new refusal appears within ten seconds. See the list of refused requests, or the key's usage history by outcome.",
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method. The Allow header lists the methods it supports.',
  },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  operation_brownout: {
    status: 410,
    message:
      'The operation is temporarily switched off because it will be removed. The Link header names its successor, if there is one.',
  },
  operation_sunset: {
    status: 410,
    message: 'The operation has been removed. The Link header names its successor, if there is one.',
  },
  body_too_large: { status: 413, message: 'The body is larger than the operation allows.' },
  unsupported_media_type: { status: 415, message: 'The body must be application/json.' },
  rate_limit_exceeded: {
    status: 429,
    message: 'The per-minute request limit has been reached. Wait for the time given in Retry-After.',
  },
  quota_exceeded: {
    status: 429,
    message: 'The daily request quota is used up. Wait for the time given in Retry-After.',
  },
  too_many_concurrent_requests: {
    status: 429,
    message:
      'The key has too many requests in progress at the same time. Wait for one of them to finish, and for the time given in Retry-After.',
  },
  too_many_failed_attempts: {
    status: 429,
    message:
      'Too many attempts with an invalid key or token from this address. Wait for the time given in Retry-After.',
  },
  too_many_connections: {
    status: 429,
    message: 'The key has too many upgraded connections (such as WebSockets) open. Close some of them first.',
  },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal_error: {
    status: 500,
    message:
      'Something went wrong on our side. Try again if the request is safe to repeat. If it fails again, report the X-Request-Id.',
  },
  upgrade_not_supported: { status: 501, message: 'The operation does not support protocol upgrades.' },
  upstream_unreachable: {
    status: 502,
    message: 'The service behind the gateway cannot be reached. Try again if the request is safe to repeat.',
  },
  upstream_bad_response: { status: 502, message: 'The service behind the gateway returned an invalid response.' },
  store_unavailable: {
    status: 503,
    message: 'The key or token cannot be checked at the moment. Try again after the time given in Retry-After.',
  },
  token_keys_unavailable: {
    status: 503,
    message:
      'The access token cannot be checked, because the keys of its issuer are unavailable. Try again after the time given in Retry-After.',
  },
  overloaded: {
    status: 503,
    message: 'Too many requests are in progress. Try again after the time given in Retry-After.',
  },
  upstream_busy: {
    status: 503,
    message:
      'All connections to the service behind the gateway are in use. Try again after the time given in Retry-After.',
  },
  starting: { status: 503, message: 'The gateway is starting. Try again.' },
  shutting_down: { status: 503, message: 'The gateway is shutting down. Try again.' },
  upstream_timeout: { status: 504, message: 'The service behind the gateway did not respond in time.' },
} as const satisfies ErrorTable;

/** The messages for callers with access tokens, where those above speak of a key. */
export const callerMessages: Readonly<Partial<Record<CallErrorCode, string>>> = {
  key_expired: 'The access of the caller of this token has expired. Ask the operators of the API to renew it.',
  key_revoked: 'The caller of this access token is disabled or revoked. Ask the operators of the API for access.',
  key_banned: 'The caller of this access token is temporarily banned. Wait for the time given in Retry-After.',
  operation_not_allowed:
    'The plan of the caller of this access token does not include this operation. Ask for a plan that does.',
  address_not_allowed:
    'The caller of this access token cannot call from this IP address. Its owner can allow more addresses.',
  too_many_concurrent_requests:
    'The caller has too many requests in progress at the same time. Wait for one of them to finish, and for the time given in Retry-After.',
  too_many_connections:
    'The caller has too many upgraded connections (such as WebSockets) open. Close some of them first.',
};

/** Errors that only the admin API and the portal return. */
export const managementErrors = {
  webhook_address_not_allowed: {
    status: 400,
    message: 'Webhooks cannot be sent to this URL. It must use HTTPS and resolve to public addresses only.',
  },
  unauthorized: { status: 401, message: 'An admin token is required. Send it as Authorization: Bearer <token>.' },
  sign_in_needed: { status: 401, message: 'Sign in first.' },
  link_invalid: {
    status: 401,
    message: 'The link has expired or has already been used. Ask for a new one.',
  },
  forbidden: { status: 403, message: 'This token is read-only.' },
  account_needed: {
    status: 403,
    message: 'With a key, you can only view and try out the API. Sign in to your account for anything else.',
  },
  cross_origin: {
    status: 403,
    message: 'The request came from another origin. Only pages on this site may send it.',
  },
  insecure_connection: {
    status: 403,
    message:
      'Over plain HTTP, others on the network could read the session. Use HTTPS or a loopback address. Behind a proxy that terminates TLS, set admin.url or portal.url.',
  },
  key_not_found: { status: 404, message: 'There is no key with this id.' },
  session_not_found: { status: 404, message: 'There is no session with this id.' },
  plan_not_found: { status: 404, message: 'There is no plan with this id.' },
  account_not_found: { status: 404, message: 'There is no account with this id.' },
  plan_request_not_found: { status: 404, message: 'There is no plan request with this id.' },
  account_request_not_found: { status: 404, message: 'There is no account request with this id.' },
  webhook_not_found: { status: 404, message: 'There is no webhook with this id.' },
  delivery_not_found: { status: 404, message: 'There is no delivery with this id.' },
  operation_not_found: { status: 404, message: 'There is no operation with this id, and no calls to it are recorded.' },
  conflict: { status: 409, message: 'The change conflicts with the current state. Fetch it again and retry.' },
  plan_in_use: {
    status: 409,
    message: 'The plan is used by accounts or by keys that are not revoked. Move or revoke them first.',
  },
  owner_taken: { status: 409, message: 'Another account already uses this owner.' },
  email_taken: { status: 409, message: 'Another account already uses this email address.' },
  too_many_keys: { status: 409, message: 'The account has reached its key limit. Revoke a key first.' },
  too_many_webhooks: { status: 409, message: 'The account has reached its webhook limit. Delete a webhook first.' },
  plan_request_open: {
    status: 409,
    message: 'The account already has an open plan request. Wait until it is decided, or withdraw it.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since the version in If-Match. Fetch it again and retry.',
  },
  configuration_invalid: {
    status: 422,
    message: 'The new configuration is invalid, and the current one stays in effect. See details.',
  },
  document_invalid: { status: 422, message: 'The document cannot be compared. See details.' },
  too_many_calls: { status: 429, message: 'Too many test calls are in progress. Wait until one has finished.' },
  report_timeout: {
    status: 503,
    message: 'The report took too long, and was ended. Ask for a shorter period, or for fewer keys.',
  },
} as const satisfies ErrorTable;

export const errors = { ...callErrors, ...managementErrors };

export type CallErrorCode = keyof typeof callErrors;
export type ErrorCode = keyof typeof errors;

/** Formats the body of an error. All errors have the same fields. Details above `MAX_DETAILS` are left out. */
export function formatErrorBody(
  code: ErrorCode,
  message: string = errors[code].message,
  details?: readonly ErrorDetail[],
): string {
  const { status } = errors[code];
  const shownDetails = details?.slice(0, MAX_DETAILS);
  return JSON.stringify({ code, message, status, details: shownDetails });
}

/** The outcome of every request that the gateway did not refuse. The outcome of a refused request is its error code. */
export const SERVED = 'served';
