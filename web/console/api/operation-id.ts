import type { Operation } from './operations.ts';

/** The id that the document gives the operation. Empty if it has none, because method and path identify it then. */
export function findOwnId({ id, method, path }: Operation): string {
  return id === `${method} ${path}` ? '' : id;
}
