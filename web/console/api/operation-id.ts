import type { Operation } from './operations.ts';

/** The id in the document; empty if it has none and is identified by its method and path. */
export function ownId({ id, method, path }: Operation): string {
  return id === `${method} ${path}` ? '' : id;
}
