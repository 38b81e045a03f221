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
  const runs: AuditEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && isAlike(run[0], entry) && summaryOf(run[0]) === summaryOf(entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first === undefined) return [];
    return run.length < MIN_RUN ? run.map((entry) => ({ entry, count: 1 })) : [{ entry: first, count: run.length }];
  });
}

function isAlike(one: AuditEntry, other: AuditEntry): boolean {
  const facts = ['actor', 'action', 'reason', 'bulkId'] as const;
  const [verb, noun] = wordsOf(one);
  const [otherVerb, otherNoun] = wordsOf(other);
  return (
    noun !== undefined && verb === otherVerb && noun === otherNoun && facts.every((fact) => one[fact] === other[fact])
  );
}
