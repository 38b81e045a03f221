/** The effects that a reload of the configuration has, or would have. */
import type { Plan, StoredPlan } from '../../domain/plan.ts';
import type { Severity } from '../../openapi/diff/change.ts';

/** A setting whose value changes, without secrets. Named as in `Setting.name`. */
export interface ChangedSetting {
  readonly name: string;
  /** Null if it is not set; for a secret, `set` or `not set`. */
  readonly before: unknown;
  readonly after: unknown;
  readonly secret: boolean;
  /** Whether the new value takes effect only after a restart. */
  readonly restart: boolean;
}

export type FileKind = 'document' | 'overlay' | 'candidate' | 'plans' | 'page' | 'certificate' | 'secret' | 'logo';

/** A file whose content differs from what is in force. */
export interface ChangedFile {
  readonly kind: FileKind;
  /** The setting, or the variable, that names it. */
  readonly setting: string;
  readonly path: string;
  /** `automatic`: the gateway reads it again by itself. */
  readonly effect: 'reload' | 'restart' | 'automatic';
}

export interface OperationName {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The changes of one operation. */
export interface OperationEffect {
  readonly change: 'added' | 'removed' | 'changed';
  /** The severity of the most severe change. */
  readonly severity: Severity;
  readonly upstream: string;
  /** The operation as it is in force; the new one if it is added. Null for a webhook. */
  readonly operation: OperationName | null;
  /** Sentences, the most severe ones first. */
  readonly messages: readonly string[];
}

/** The plan that a key or file has, or a key, with a selector that matches no operation. */
export interface UnmatchedSelector {
  readonly kind: 'plan' | 'key';
  readonly id: string;
  readonly selector: string;
  /** The nearest selector that matches an operation; null if none is near. */
  readonly nearest: string | null;
  /** Whether it matches an operation now. */
  readonly matchesNow: boolean;
}

/** A plan that differs between the plans file in force and the new one. */
export interface PlanEffect {
  readonly plan: Plan;
  /** Null if the database does not have it, or is not known to have it. */
  readonly stored: StoredPlan | null;
  /** `kept`: an operator changed or deleted the plan, so the file does not replace it. */
  readonly outcome: 'applied' | 'kept';
}

/** The effects that are known without the history. */
export interface ReloadEffects {
  readonly changed: readonly string[];
  readonly restart: readonly string[];
  readonly settings: readonly ChangedSetting[];
  readonly warnings: readonly string[];
  readonly files: readonly ChangedFile[];
  readonly operations: {
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    /** The most severe ones first; at most `MAX_LISTED`. */
    readonly items: readonly OperationEffect[];
  };
  /** The operations that can then be called without a key, and now cannot; at most `MAX_LISTED`. */
  readonly opened: readonly (OperationName & { readonly upstream: string })[];
  readonly selectors: readonly UnmatchedSelector[];
  readonly plans: readonly PlanEffect[];
  /** Why parts of this may be missing, as sentences without a period. */
  readonly incomplete: readonly string[];
}

/** A longer list would help no reader, and would take long to send. */
export const MAX_LISTED = 1000;

/** The plans and keys in the database whose selectors are checked. */
export interface Subjects {
  readonly plans: readonly StoredPlan[];
  readonly keys: readonly { readonly id: string; readonly operations: readonly string[] | null }[];
  /** False if the database could not be read. */
  readonly areKnown: boolean;
  readonly incomplete: readonly string[];
}

/** @param reason why the effects are not known */
export function createUnknownEffects(reason: string): ReloadEffects {
  return {
    changed: [],
    restart: [],
    settings: [],
    warnings: [],
    files: [],
    operations: { added: 0, removed: 0, changed: 0, items: [] },
    opened: [],
    selectors: [],
    plans: [],
    incomplete: [reason],
  };
}
