import type { FoundRefusal } from '../reports.ts';
import type { RefusalFacts } from './facts.ts';

/** Who reads an explanation: they see and can do different things. */
export type Reader = 'operator' | 'consumer';

/** What the sentences about a refusal are made from. Times are ms since the Unix epoch. */
export interface Explained {
  readonly facts: RefusalFacts;
  readonly at: number;
  /** When it is explained: decides between "was" and "is". */
  readonly now: number;
  readonly reader: Reader;
  /** What the key did in its minute, and from then until `until`. */
  readonly minutes: FoundRefusal['minutes'];
  readonly until: number;
  /** Facts of the refusals after it, until then, in order of time; not all were kept. */
  readonly later: readonly { readonly at: number; readonly facts: RefusalFacts }[];
}

/** The sentences on why a request was refused, and what to do about it. */
export type Reason = (explained: Explained) => readonly (string | null)[];
