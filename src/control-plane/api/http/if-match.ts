import { RegistryError } from '../../../base/error-types.ts';
import { Refused } from './refused.ts';

/**
 * The revision as a strong entity tag. Using a key (`lastUsedAt`) does not change its revision, so use never makes a
 * conditional change fail.
 */
export function etag(revision: number): string {
  return `"${revision}"`;
}

/**
 * Makes a change only if the current revision matches `If-Match` (RFC 9110, 13.1.1); without the header, always.
 *
 * @param revision reads the current revision; 0 if there is none
 * @param work makes the change; gets the revision that the registry must find, undefined for any
 * @throws Refused `precondition_failed`
 */
export async function ifMatching<T>(
  ifMatch: string | undefined,
  revision: () => Promise<number>,
  work: (expected: number | undefined) => Promise<T>,
): Promise<T> {
  if (ifMatch === undefined) return work(undefined);
  const current = await revision();
  if (!matches(ifMatch, current)) throw new Refused('precondition_failed');
  try {
    return await work(current);
  } catch (error) {
    const conflict = error instanceof RegistryError && error.code === 'conflict';
    // Somebody else changed it first. A conflict at the same revision has another cause.
    if (conflict && (await revision()) !== current) throw new Refused('precondition_failed');
    throw error;
  }
}

function matches(ifMatch: string, revision: number): boolean {
  if (revision === 0) return false;
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag(revision));
}
