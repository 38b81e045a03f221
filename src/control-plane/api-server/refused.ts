import { RETRY_SOON, formatRetryAfter } from '../../http/retry-after.ts';
import { ReportTimeout, StoreUnavailable } from '../../base/error-types.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { type ErrorDetail } from '../../base/error-details.ts';
import { errors, type ErrorCode } from '../../domain/error-codes.ts';
import { PeriodFault } from '../history/store/period.ts';
import { replaceKeys } from '../../http/redact-keys.ts';

interface RefusedOptions {
  /** Replaces the message in the table of errors. */
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown to respond with an error. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, { message, details, headers = {} }: RefusedOptions = {}) {
    super(message ?? errors[code].message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

export function invalidField(path: string, message: string): Refused {
  return new Refused('validation_failed', { details: [{ path, message }] });
}

/** Converts an error to the refusal that the caller gets. Returns undefined for an internal error. */
export function toRefused(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  if (error instanceof RegistryError) return toRegistryRefusal(error);
  if (error instanceof PeriodFault) return invalidField(`/query/${error.field}`, error.message);
  if (error instanceof ReportTimeout) return new Refused('report_timeout');
  if (error instanceof StoreUnavailable) {
    const message = 'The store does not respond. Try again after the time given in Retry-After.';
    return new Refused('store_unavailable', { message, headers: { 'Retry-After': RETRY_SOON } });
  }
  return undefined;
}

function toRegistryRefusal({ code, message, retryAfterMs }: RegistryError): Refused {
  if (code === 'invalid_cursor')
    return invalidField('/query/cursor', 'does not belong to this list: start again without it');
  if (code === 'limits_mismatch') return invalidField('/limits', message);
  if (code === 'event_type_unknown') return invalidField('/types', message);
  const options = { message: toSentence(message) };
  if (retryAfterMs === null) return new Refused(code, options);
  return new Refused(code, { ...options, headers: { 'Retry-After': formatRetryAfter(retryAfterMs) } });
}

/** Formats a message as a sentence. Removes a secret that was passed as an id. */
function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${replaceKeys(text.slice(1))}.`;
}
