/**
 * Returns the name under which requests of an operation are counted that do not fit the next version of its document.
 * Each version has names of its own. So a reload with another candidate starts without counts, and the counts of the
 * earlier one are found again if that comes back.
 *
 * @param version identifies the content of the candidate
 */
export function nameForCandidate(version: string, operation: string): string {
  return `candidate ${version} ${operation}`;
}
