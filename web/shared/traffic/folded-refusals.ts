interface Refusal {
  readonly at: string;
  readonly keyId: string;
  readonly code: string;
  readonly method: string;
  readonly operation: string | null;
  readonly path: string | null;
  readonly cause: string;
}

/** The latest of several similar refusals, with the others. */
export type FoldedRefusal<Each extends Refusal> = Each & {
  /** Newest first. */
  readonly older: readonly Each[];
};

/** Folds consecutive refusals that differ only in their time. @param refusals newest first */
export function foldNeighbors<Each extends Refusal>(refusals: readonly Each[]): readonly FoldedRefusal<Each>[] {
  const groups: Each[][] = [];
  for (const refusal of refusals) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isAlike(group[0], refusal)) group.push(refusal);
    else groups.push([refusal]);
  }
  return groups.flatMap(toRow);
}

/**
 * Folds all refusals of the same call with the same key for the same reason.
 * @param refusals newest first
 */
export function foldByKey<Each extends Refusal>(refusals: readonly Each[]): readonly FoldedRefusal<Each>[] {
  return [...Map.groupBy(refusals, formatCall).values()].flatMap(toRow);
}

/** A text that is the same for refusals of the same call with the same key for the same reason. */
export function formatCall({ keyId, code, method, operation, path }: Refusal): string {
  return JSON.stringify([keyId, code, operation ?? `${method} ${path}`]);
}

/** A text that differs for each refusal of a list. The id of the request is not enough, because clients can choose it. */
export function createRefusalId({
  requestId,
  keyId,
  at,
}: Pick<Refusal, 'keyId' | 'at'> & { readonly requestId: string }): string {
  return `${requestId} ${keyId} ${at}`;
}

function toRow<Each extends Refusal>([latest, ...older]: readonly Each[]): readonly FoldedRefusal<Each>[] {
  return latest === undefined ? [] : [{ ...latest, older }];
}

function isAlike(one: Refusal, other: Refusal): boolean {
  const facts = ['keyId', 'cause', 'code', 'operation', 'path'] as const;
  return facts.every((fact) => one[fact] === other[fact]);
}
