import type { Credential } from '../domain/credential.ts';
import type { Operation } from './openapi.ts';

/**
 * Selectors name operations that a plan or a key includes: each is the id of one, or `tag:NAME` for all that have a tag.
 */

const TAG = 'tag:';

type Selectable = Pick<Operation, 'id' | 'tags'>;

/** Whether any of the selectors names the operation. */
function isSelected(selectors: readonly string[], operation: Selectable): boolean {
  return selectors.some((selector) => names(selector, operation));
}

function names(selector: string, { id, tags }: Selectable): boolean {
  return selector === id || (selector.startsWith(TAG) && tags.includes(selector.slice(TAG.length)));
}

/** Whether the operation is open to those who have these selectors. One that needs no key is open to all. */
export function isIncluded(
  selectors: readonly (readonly string[] | null)[],
  operation: Selectable & Pick<Operation, 'public'>,
): boolean {
  return operation.public || selectors.every((each) => each === null || isSelected(each, operation));
}

/** Finds the selectors that match none of the operations. */
export function unmatchedSelectors(selectors: readonly string[], operations: readonly Selectable[]): string[] {
  return selectors.filter((selector) => !operations.some((operation) => names(selector, operation)));
}

/** Every selector that names an operation. */
export function listSelectors(operations: readonly Selectable[]): string[] {
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  return [...operations.map(({ id }) => id), ...[...tags].map((tag) => `${TAG}${tag}`)];
}

/** Whether the plan of a key, and the key itself, include an operation. */
export function includesOperation({ planOperations, keyOperations }: Credential, operation: Operation): boolean {
  return isIncluded([planOperations, keyOperations], operation);
}
