import type { ErrorDetail } from '../../base/error-codes.ts';
import { tableOf } from '../../base/table-of.ts';
import { Failure } from '../failure.ts';
import type { Access } from './access.ts';

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

export interface ErrorAnswer {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly body: ErrorBody | undefined;
  readonly requestId: string | null;
}

/** The gateway answered, and refused. */
export class ApiError extends Failure {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: readonly ErrorDetail[];

  constructor(access: Access, answer: ErrorAnswer) {
    super(inWords(access, answer));
    this.status = answer.status;
    this.code = answer.body?.code;
    this.details = answer.body?.details ?? [];
  }
}

function inWords({ url, tokenFrom }: Access, { status, body, requestId }: ErrorAnswer): string {
  if (body?.code === undefined) {
    return `what answers at ${url} (status ${status}) is not the admin API of a gateway: check TOLLGATE_ADMIN_URL`;
  }
  if (body.code === 'unauthorized') {
    return `the gateway at ${url} does not know the token from ${tokenFrom}: ${WRONG_TOKEN}`;
  }
  if (body.code === 'forbidden') {
    return `${body.message.replace(/\.$/, '')}: it is from ${tokenFrom}; use one of the role admin`;
  }
  const details = (body.details ?? []).map(({ path, message }) => `\n  ${fieldOf(path)} ${message}`).join('');
  const trace = status >= 500 && requestId !== null ? `\n  request id ${requestId}: the gateway's log has more` : '';
  const hint = HINTS.get(body.code);
  const message = details === '' ? body.message : 'the gateway does not take this:';
  return `${message}${details}${hint === undefined ? '' : `\n  ${hint}`}${trace}`;
}

const WRONG_TOKEN =
  'set TOLLGATE_ADMIN_TOKEN, or TOLLGATE_ADMIN_TOKEN_FILE to the file admin-token in the data directory of that gateway';

/** What to do next, as commands, which the gateway's own messages cannot know. */
const HINTS = tableOf({
  key_not_found: '"tollgate keys list" shows the ids',
  plan_not_found: '"tollgate plans list" shows the ids',
  operation_not_found: '"tollgate operations list" shows the ids',
  account_not_found: '"tollgate accounts list" shows the ids',
  plan_request_not_found: '"tollgate plan-requests list" shows the ids',
  webhook_not_found: '"tollgate webhooks list" shows the ids',
  delivery_not_found: '"tollgate webhooks deliveries ID" shows the ids of a webhook',
  webhook_address_not_allowed: 'events.allowPrivate and events.ports in the configuration say where webhooks may go',
  store_unavailable: 'wait a moment, and try again; "tollgate system" says what is away',
  plan_in_use:
    '"tollgate keys list --plan ID" and "tollgate accounts list --plan ID" show them: move them to another plan, or ' +
    'revoke the keys',
});

/** `/limits/minute` as `limits.minute`. */
function fieldOf(path: string): string {
  return path.split('/').filter(Boolean).join('.');
}
