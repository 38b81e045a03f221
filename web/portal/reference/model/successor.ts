import type { Operation } from './operation.ts';

/**
 * The operation that a successor means, such as `/pets?id={petId}`: of its path, by the same method where there is one;
 * undefined if it leads elsewhere.
 */
export function successorOf(
  operations: readonly Operation[],
  method: string,
  successor: string,
): Operation | undefined {
  const [path] = successor.split('?', 1);
  const found = operations.filter((each) => each.path === path);
  return found.find((each) => each.method === method) ?? found[0];
}
