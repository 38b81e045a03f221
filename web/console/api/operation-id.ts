import type { Operation } from './operations.ts';

/** The id that the document gave the operation; empty if it has none, and its method and path stand for it. */
export function ownId({ id, method, path }: Operation): string {
  return id === `${method} ${path}` ? '' : id;
}
