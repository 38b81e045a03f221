import { RegistryError } from '../../registry/registry.ts';
import { Refused } from './refused.ts';

/**
 * The revision as a strong entity tag. When a key was last used is no revision: who changes a key has nothing to fear
 * from its use.
 */
export function etag(revision: number): string {
  return `"${revision}"`;
}

/**
 * Makes a change only to what `If-Match` names (RFC 9110, 13.1.1), if it is given.
 *
 * @param revision that of the present version; 0 where there is none
 * @param work given the revision that the registry must find
 * @throws Refused `precondition_failed`
 */
export async function ifMatching<T>(
  ifMatch: string | undefined,
  revision: () => Promise<number>,
  work: (expected: number | undefined) => Promise<T>,
): Promise<T> {
  if (ifMatch === undefined) return work(undefined);
  const current = await revision();
  if (!names(ifMatch, current)) throw new Refused('precondition_failed');
  try {
    return await work(current);
  } catch (error) {
    const conflict = error instanceof RegistryError && error.code === 'conflict';
    // Somebody else was faster; a conflict at the same revision has another reason.
    if (conflict && (await revision()) !== current) throw new Refused('precondition_failed');
    throw error;
  }
}

function names(ifMatch: string, revision: number): boolean {
  if (revision === 0) return false;
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag(revision));
}
