import type { ListedOperation } from './listed-operation.ts';

/**
 * The operation that a successor such as `/pets?id={petId}` refers to: the one with this path, preferably with the same
 * method; undefined if there is none in the document.
 */
export function findSuccessor(
  operations: readonly ListedOperation[],
  method: string,
  successor: string,
): ListedOperation | undefined {
  const [path] = successor.split('?', 1);
  const found = operations.filter((each) => each.path === path);
  return found.find((each) => each.method === method) ?? found[0];
}
