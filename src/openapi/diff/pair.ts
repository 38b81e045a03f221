import type { ChangeKind, Severity } from './change.ts';
import { type Conjunction, type DocumentSchemas, type LocatedSchema, schemaText, type View } from './conjunction.ts';

/**
 * Who writes the values. For a caller's values (`request`, and `parameter` for those that are text), a schema must not
 * become narrower. For a service's values (`response`, and `header` for those that are text), it must not become wider.
 */
export type Direction = 'parameter' | 'request' | 'response' | 'header';

export function isSentByCaller(direction: Direction): boolean {
  return direction === 'parameter' || direction === 'request';
}

/** Whether values are written as texts without quotes, so that a text can be any number. */
export function isWrittenAsText(direction: Direction): boolean {
  return direction === 'parameter' || direction === 'header';
}

/** A change of one schema. The place of the schema is added when the operation is known. */
export interface Finding {
  readonly kind: ChangeKind;
  readonly severity: Severity;
  /** The field that was added or removed below the schema. */
  readonly field?: string;
  readonly pointer: string;
  /** The end of a sentence that begins with the name of the schema's place. */
  readonly what: string;
}

/** A schema before and after, and its parts. Schemas that refer to themselves make circles. */
export interface Pair {
  readonly direction: Direction;
  readonly before: Conjunction;
  readonly after: Conjunction;
  readonly findings: Finding[];
  readonly edges: { readonly step: string; readonly pair: Pair }[];
  readonly parents: Set<Pair>;
  /** Whether this schema or a part of it changed. */
  hasChanges: boolean;
}

/** The inputs of a comparison of one pair, and the functions that take its results. */
export interface PairContext {
  readonly pair: Pair;
  readonly before: View;
  readonly after: View;
  readonly schemas: Readonly<{ before: DocumentSchemas; after: DocumentSchemas }>;
  readonly report: (finding: Finding) => void;
  /** Adds parts to compare. The step is `.name` for a field, `[]` for items, or empty for the same value. */
  readonly compare: (step: string, before: readonly LocatedSchema[], after: readonly LocatedSchema[]) => void;
}

/** Whether fewer or more values fit than before, or others. */
export type Effect = 'narrower' | 'wider' | 'different';

export function chooseSeverity(effect: Effect, direction: Direction): Severity {
  if (effect === 'different') return 'breaking';
  return (effect === 'narrower') === isSentByCaller(direction) ? 'breaking' : 'compatible';
}

/** Reports a change with the severity that its effect has in this direction. */
export function report(
  { pair, after, report: add }: PairContext,
  effect: Effect,
  kind: ChangeKind,
  finding: { readonly what: string; readonly field?: string; readonly pointer?: string; readonly isUnsure?: boolean },
): void {
  const { isUnsure = false, ...rest } = finding;
  const severity = chooseSeverity(effect, pair.direction);
  add({
    kind,
    severity: severity === 'breaking' && isUnsure ? 'warning' : severity,
    pointer: after.pointer,
    ...rest,
  });
}

export function schemasAt({ schemas }: View, keyword: string): LocatedSchema[] {
  return schemas.flatMap(({ schema, pointer }) =>
    schema[keyword] === undefined ? [] : [{ schema: schema[keyword], pointer: `${pointer}/${keyword}` }],
  );
}

/** Whether two schemas say the same, apart from the schemas that they refer to by the same reference. */
export function isSameText(one: unknown, other: unknown): boolean {
  const text = schemaText(one);
  return text !== null && text === schemaText(other);
}
