/** A violation of an invariant of the gateway. */
export class Finding extends Error {
  /**
   * The kind of the violation, without tokens, times or ports. Findings of the same kind most likely have the same
   * cause.
   */
  readonly kind: string;

  constructor(kind: string, detail = '') {
    super(detail === '' ? kind : `${kind}: ${detail}`);
    this.name = 'Finding';
    this.kind = kind;
  }
}

/**
 * Checks a condition.
 *
 * @throws Finding if the condition does not hold
 */
export function expectThat(holds: boolean, kind: string, detail: () => string = () => ''): asserts holds {
  if (!holds) throw new Finding(kind, detail());
}

/**
 * Waits for a promise. Rejects with a finding if that takes longer than `ms`, because every wait of the gateway must be
 * limited.
 */
export async function within<T>(ms: number, kind: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Finding(kind, `not within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
