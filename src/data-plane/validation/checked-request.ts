import type { Credential } from '../../domain/credential.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { nameRule, type Violation } from '../../openapi/validation/validation.ts';

/** A rule of a document that a request broke. */
export type BrokenRule = Pick<Violation, 'rule' | 'rulePath' | 'message'>;

/** Why a body was not checked. `failed`: the check itself failed. */
export type UncheckedReason = 'no_json_schema' | 'too_long' | 'encoded' | 'overloaded' | 'failed';

/** A request that does not fit the document, or that was not checked completely. */
export interface CheckedRequest {
  /** Null: the request had no key. */
  readonly credential: Credential | null;
  readonly operation: Operation;
  readonly upstream: string;
  /** `candidate`: the request was compared with the next version of the document. */
  readonly mode: 'report' | 'enforce' | 'candidate';
  /** Identifies the content of the candidate. Null: there is none. */
  readonly candidate: string | null;
  /** Each rule once. Empty if only a part was not checked. */
  readonly broken: readonly BrokenRule[];
  /** Null: all of it was checked, or it was refused before. */
  readonly unchecked: UncheckedReason | null;
}

/** Called at most once per request and document. Must not throw. */
export type ValidationObserver = (request: CheckedRequest) => void;

/** The rules that violations break, each once. */
export function listBrokenRules(violations: readonly Violation[]): readonly BrokenRule[] {
  if (violations.length < 2) return violations;
  return [...new Map(violations.map((each) => [nameRule(each), each])).values()];
}
