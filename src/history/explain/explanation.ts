import type { FoundRefusal } from '../reports.ts';
import type { RefusalFacts } from './facts.ts';

/** What the sentences about a refusal are made from. Times are ms since the Unix epoch. */
export interface Explained {
  readonly facts: RefusalFacts;
  readonly at: number;
  /** When it is explained: decides between "was" and "is". */
  readonly now: number;
  /** What the key did around it. */
  readonly minutes: FoundRefusal['minutes'];
}

/** The sentences on why a request was refused, and what to do about it. */
export type Reason = (explained: Explained) => readonly (string | null)[];
