import { StartError } from '../../base/start-error.ts';
import { StoreUnavailable } from '../../base/store-unavailable.ts';
import type { SentError } from './messages.ts';

export function sentError(error: unknown): SentError {
  const { message, stack } = Error.isError(error) ? error : new Error(String(error));
  const kind =
    error instanceof StoreUnavailable ? 'unavailable' : error instanceof StartError ? 'start' : ('other' as const);
  return { kind, message, stack };
}

export function receivedError({ kind, message, stack }: SentError): Error {
  if (kind === 'unavailable') return new StoreUnavailable(message);
  if (kind === 'start') return new StartError(message);
  const error = new Error(message);
  // Where it happened, in the worker.
  if (stack !== undefined) error.stack = stack;
  return error;
}
