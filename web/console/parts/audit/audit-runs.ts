import type { AuditEntry } from '../../api/audit.ts';
import { findActionWords } from './audit-words.ts';

/** Consecutive equal changes to different subjects, newest first. */
export interface AuditRun {
  readonly entry: AuditEntry;
  /** The number of changes, including `entry`. */
  readonly count: number;
}

/** Shorter runs are not folded, because they can be read as quickly one by one. */
const MIN_RUN = 3;

/**
 * Folds consecutive changes with the same text.
 *
 * @param summaryOf returns the text that follows the action
 */
export function foldRuns(
  entries: readonly AuditEntry[],
  summaryOf: (entry: AuditEntry) => string,
): readonly AuditRun[] {
  const runs: { readonly said: string | null; readonly entries: AuditEntry[] }[] = [];
  for (const entry of entries) {
    const said = formatRunText(entry, summaryOf);
    const last = runs.at(-1);
    if (last !== undefined && said !== null && last.said === said) last.entries.push(entry);
    else runs.push({ said, entries: [entry] });
  }
  return runs.flatMap(({ entries: [entry, ...others] }) => {
    if (entry === undefined) return [];
    const count = others.length + 1;
    return count < MIN_RUN ? [entry, ...others].map((each) => ({ entry: each, count: 1 })) : [{ entry, count }];
  });
}

/** Formats the text of a change without its subject. Null if the change has no subject, so that it is never folded. */
function formatRunText(entry: AuditEntry, summaryOf: (entry: AuditEntry) => string): string | null {
  const { actor, action, reason, message, bulkId } = entry;
  const words = findActionWords(entry);
  if (words[1] === undefined) return null;
  return JSON.stringify([actor, action, reason, message, bulkId, words, summaryOf(entry)]);
}
