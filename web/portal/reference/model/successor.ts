import type { ListedOperation } from './listed-operation.ts';

/**
 * Finds the operation to which a successor such as `/pets?id={petId}` refers. It has the same path and, if possible,
 * the same method. Undefined if the document has no such operation.
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
