import { findNearest } from '../../../base/portable/nearest.ts';
import { listSelectors, unmatchedSelectors } from '../../../openapi/operation-selectors.ts';
import type { Operation } from '../../../openapi/openapi.ts';
import { checkAddresses } from '../../api-server/check-addresses.ts';
import { invalidField } from '../../api-server/refused.ts';

interface Restrictions {
  readonly operations?: readonly string[] | null | undefined;
  readonly addresses?: readonly string[] | null | undefined;
}

/** @param base JSON pointer of the plan or key within the request's body @throws Refused `validation_failed` */
export type CheckRestrictions = (restrictions: Restrictions, base?: string) => void;

/** Checks that every selector matches an operation that is served, and that every address is valid. */
export function createCheckRestrictions(
  served: readonly { readonly operation: Pick<Operation, 'id' | 'method' | 'path' | 'tags'> }[],
): CheckRestrictions {
  const servedOperations = served.map(({ operation }) => operation);
  return function checkRestrictions({ operations, addresses }, base = '') {
    const [unmatched] = unmatchedSelectors(operations ?? [], servedOperations);
    if (unmatched !== undefined) {
      const matchingOperation = servedOperations.find(({ method, path }) => `${method} ${path}` === unmatched.trim());
      const suggestion = matchingOperation?.id ?? findNearest(unmatched, listSelectors(servedOperations));
      const path = `${base}/operations/${operations?.indexOf(unmatched) ?? 0}`;
      throw invalidField(
        path,
        `must be an operation id or tag:NAME${suggestion === null ? '' : `: did you mean "${suggestion}"?`}`,
      );
    }
    checkAddresses(addresses ?? [], base);
  };
}
