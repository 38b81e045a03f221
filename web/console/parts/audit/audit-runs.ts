import type { AuditEntry } from '../../api/audit.ts';
import { wordsOf } from './audit-words.ts';

/** Changes that follow each other and are the same, made to different things; newest first. */
export interface AuditRun {
  readonly entry: AuditEntry;
  /** How many of them there are, with `entry`. */
  readonly count: number;
}

/** Fewer are as quick to read one by one. */
const MIN_RUN = 3;

/** Folds runs of changes that are said in the same words. @param summaryOf what the line says beyond the action */
export function foldRuns(
  entries: readonly AuditEntry[],
  summaryOf: (entry: AuditEntry) => string,
): readonly AuditRun[] {
  const runs: { readonly said: string | null; readonly entries: AuditEntry[] }[] = [];
  for (const entry of entries) {
    const said = saidOf(entry, summaryOf);
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

/** All that a line says but what was changed; null: it names nothing that there could be several of. */
function saidOf(entry: AuditEntry, summaryOf: (entry: AuditEntry) => string): string | null {
  const { actor, action, reason, message, bulkId } = entry;
  const words = wordsOf(entry);
  if (words[1] === undefined) return null;
  return JSON.stringify([actor, action, reason, message, bulkId, words, summaryOf(entry)]);
}
