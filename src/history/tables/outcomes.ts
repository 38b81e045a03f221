import { type ErrorCode, errors } from '../../base/error-codes.ts';

/** Whether an outcome is a refusal by the gateway, rather than an answer or a failure. */
export function isRefusal(outcome: string): boolean {
  return Object.hasOwn(errors, outcome) && errors[outcome as ErrorCode].status < 500;
}
