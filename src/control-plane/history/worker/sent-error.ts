import { StartError, StoreUnavailable, RegistryError } from '../../../base/error-types.ts';
import type { SentError } from './messages.ts';

export function sentError(error: unknown): SentError {
  const { message, stack } = Error.isError(error) ? error : new Error(String(error));
  return { kind: kindOf(error), message, stack };
}

function kindOf(error: unknown): SentError['kind'] {
  if (error instanceof StoreUnavailable) return 'unavailable';
  if (error instanceof StartError) return 'start';
  return error instanceof RegistryError && error.code === 'invalid_cursor' ? 'cursor' : 'other';
}

export function receivedError({ kind, message, stack }: SentError): Error {
  if (kind === 'unavailable') return new StoreUnavailable(message);
  if (kind === 'start') return new StartError(message);
  if (kind === 'cursor') return new RegistryError('invalid_cursor', message);
  const error = new Error(message);
  // Where it happened, in the worker.
  if (stack !== undefined) error.stack = stack;
  return error;
}
