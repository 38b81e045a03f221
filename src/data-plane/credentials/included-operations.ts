import type { Credential } from '../../base/credential.ts';
import { isIncluded } from '../../openapi/operation-selectors.ts';
import type { Operation } from '../../openapi/openapi.ts';

/** Whether the plan of a key, and the key itself, include an operation. */
export function includesOperation({ planOperations, keyOperations }: Credential, operation: Operation): boolean {
  return isIncluded([planOperations, keyOperations], operation);
}
