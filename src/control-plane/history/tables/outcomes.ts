import { type CallErrorCode, callErrors } from '../../../base/error-codes.ts';

/** Whether an outcome is a refusal by the gateway, rather than an answer or a failure. */
export function isRefusal(outcome: string): boolean {
  return Object.hasOwn(callErrors, outcome) && callErrors[outcome as CallErrorCode].status < 500;
}
