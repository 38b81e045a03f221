import { RegistryError } from '../../base/error-types.ts';

/** @throws RegistryError `conflict` if a revision is expected and the actual one differs */
export function checkRevision(what: string, actual: number, expected: number | undefined): void {
  if (expected === undefined || expected === actual) return;
  const found = actual === 0 ? 'does not exist' : `is at revision ${actual}`;
  throw new RegistryError('conflict', `${what} ${found}, not at ${expected}: read it again, then repeat the change`);
}
