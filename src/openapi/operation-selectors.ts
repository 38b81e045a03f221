import type { Credential } from '../domain/credential.ts';
import type { Operation } from './openapi.ts';

/**
 * Selectors name the operations that a plan or a key includes. A selector is the id of an operation, or `tag:NAME` for
 * all operations with a tag.
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

/** Whether callers with these selectors may use the operation. An operation that needs no key is open to everyone. */
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

/** Lists every selector that names an operation. */
export function listSelectors(operations: readonly Selectable[]): string[] {
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  return [...operations.map(({ id }) => id), ...[...tags].map((tag) => `${TAG}${tag}`)];
}

/** Whether the plan of a key, and the key itself, include an operation. */
export function includesOperation({ planOperations, keyOperations }: Credential, operation: Operation): boolean {
  return isIncluded([planOperations, keyOperations], operation);
}
