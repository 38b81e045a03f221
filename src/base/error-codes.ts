type ErrorTable = Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** What the gateway itself answers calls of the API with. docs/errors.md has a table of each of the two (`npm run docs`). */
export const callErrors = {
  bad_request: { status: 400, message: 'The request is malformed.' },
  invalid_path: { status: 400, message: 'The path has a form that is not accepted: send it in its plain spelling.' },
  validation_failed: { status: 400, message: 'The request does not fit its description: see details.' },
  key_ambiguous: { status: 400, message: 'More than one API key was sent: send exactly one, in X-API-Key.' },
  key_missing: {
    status: 401,
    message: 'An API key is needed: send it as X-API-Key: <API_KEY> or Authorization: Bearer <API_KEY>.',
  },
  key_invalid: { status: 401, message: 'The API key is not valid: check that it was copied whole.' },
  key_expired: { status: 401, message: 'The API key has expired: ask for a new one.' },
  key_revoked: { status: 401, message: 'The API key is disabled or revoked: ask for a new one.' },
  key_banned: {
    status: 403,
    message: 'The API key is banned for a while: wait for the time given by Retry-After.',
  },
  cost_exceeds_limit: {
    status: 403,
    message: "The request costs more than the plan's whole minute limit: it needs a higher plan.",
  },
  route_not_found: { status: 404, message: 'No operation has this path.' },
  request_not_found: {
    status: 404,
    message:
      'Nothing is kept of a refused request with this id. A few a key and minute are: ten seconds later, for 48 hours.',
  },
  method_not_allowed: { status: 405, message: 'The path does not take this method: see Allow.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  operation_brownout: {
    status: 410,
    message: 'The operation is switched off for a while because it will end: move to what Link names.',
  },
  operation_sunset: { status: 410, message: 'The operation has ended: see Link for what succeeds it.' },
  body_too_large: { status: 413, message: 'The body is larger than the operation takes.' },
  unsupported_media_type: { status: 415, message: 'The body must be application/json.' },
  rate_limit_exceeded: {
    status: 429,
    message: 'The limit of requests per minute is reached: wait for the time given by Retry-After.',
  },
  quota_exceeded: {
    status: 429,
    message: 'The quota of requests per day is used up: wait for the time given by Retry-After.',
  },
  too_many_failed_attempts: {
    status: 429,
    message: 'Too many attempts with a bad key from this address: wait for the time given by Retry-After.',
  },
  too_many_connections: {
    status: 429,
    message: 'The key has too many upgraded connections open: close some of them first.',
  },
  headers_too_large: { status: 431, message: 'The header block is too large.' },
  internal_error: { status: 500, message: 'Something failed on our side: try again, and report the X-Request-Id.' },
  upgrade_not_supported: { status: 501, message: 'The operation takes no upgrade to another protocol.' },
  upstream_unreachable: { status: 502, message: 'The service behind the gateway cannot be reached: try again.' },
  upstream_bad_response: { status: 502, message: 'The service behind the gateway gave no valid answer.' },
  store_unavailable: { status: 503, message: 'The key cannot be checked now: try again after Retry-After.' },
  overloaded: { status: 503, message: 'Too much is going on at once: try again after Retry-After.' },
  starting: { status: 503, message: 'This gateway is starting: try again.' },
  shutting_down: { status: 503, message: 'This gateway is shutting down: try again.' },
  upstream_timeout: { status: 504, message: 'The service behind the gateway took too long to answer.' },
} as const satisfies ErrorTable;

/** What only the admin API and the portal answer with. */
export const managementErrors = {
  webhook_address_not_allowed: {
    status: 400,
    message: 'Webhooks are not sent to this URL: it must be HTTPS, and lead to public addresses only.',
  },
  unauthorized: { status: 401, message: 'An admin token is needed: send it as Authorization: Bearer <token>.' },
  sign_in_needed: { status: 401, message: 'Sign in first.' },
  link_invalid: {
    status: 401,
    message: 'The link has been used, or has expired: ask for a new one.',
  },
  forbidden: { status: 403, message: 'This token may only read.' },
  account_needed: {
    status: 403,
    message: 'With a key, one may only look and try: sign in to the account for this.',
  },
  cross_origin: {
    status: 403,
    message: 'The request comes from a page of another origin: only our own pages may send it.',
  },
  insecure_connection: {
    status: 403,
    message:
      'Over plain HTTP, others on the network could read the session: use HTTPS or a loopback address. Behind a proxy that ends TLS, set admin.url or portal.url.',
  },
  key_not_found: { status: 404, message: 'There is no key with this id.' },
  session_not_found: { status: 404, message: 'There is no session with this id.' },
  plan_not_found: { status: 404, message: 'There is no plan with this id.' },
  account_not_found: { status: 404, message: 'There is no account with this id.' },
  plan_request_not_found: { status: 404, message: 'There is no request for a plan with this id.' },
  webhook_not_found: { status: 404, message: 'There is no webhook with this id.' },
  delivery_not_found: { status: 404, message: 'There is no delivery with this id.' },
  operation_not_found: { status: 404, message: 'There is no operation with this id, and nobody has called one.' },
  conflict: { status: 409, message: 'The change does not fit the present state: read it again.' },
  plan_in_use: {
    status: 409,
    message: 'Accounts, or keys that are not revoked, use the plan: move or revoke them first.',
  },
  owner_taken: { status: 409, message: 'Another account has this owner.' },
  email_taken: { status: 409, message: 'Another account has this address.' },
  too_many_keys: { status: 409, message: 'The account has as many keys as it may have: revoke one first.' },
  too_many_webhooks: { status: 409, message: 'The account has as many webhooks as it may have: delete one first.' },
  plan_request_open: { status: 409, message: 'The account has asked for a plan already: wait for the answer.' },
  precondition_failed: { status: 412, message: 'It was changed since the version that If-Match names: read it again.' },
  configuration_invalid: {
    status: 422,
    message: 'The configuration cannot be used, and the present one stays in force: see details.',
  },
  too_many_calls: { status: 429, message: 'Too many calls are being tried at once: wait until one has ended.' },
} as const satisfies ErrorTable;

export const errors = { ...callErrors, ...managementErrors };

export type CallErrorCode = keyof typeof callErrors;
export type ErrorCode = keyof typeof errors;

export interface ErrorDetail {
  /** What it is about, such as `/name` or `/query/limit`. */
  readonly path: string;
  readonly message: string;
}

/** More would help nobody, and a request may have thousands of faults before anybody knows who sends it. */
export const MAX_DETAILS = 20;

/** The body of every error: exactly these fields, with the first of the details. */
export function errorBody(
  code: ErrorCode,
  message: string = errors[code].message,
  details?: readonly ErrorDetail[],
): string {
  const { status } = errors[code];
  const told = details?.slice(0, MAX_DETAILS);
  return JSON.stringify({ code, message, status, details: told });
}

/** The outcome of a request that the gateway did not refuse; of one that it refused, it is the code. */
export const SERVED = 'served';
