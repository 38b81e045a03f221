/** A violation of an invariant. */
export class Finding extends Error {
  /** Contains no tokens, times or ports: findings of the same kind most likely have the same cause. */
  readonly kind: string;

  constructor(kind: string, detail = '') {
    super(detail === '' ? kind : `${kind}: ${detail}`);
    this.name = 'Finding';
    this.kind = kind;
  }
}

/** @throws Finding unless the condition holds */
export function expectThat(holds: boolean, kind: string, detail: () => string = () => ''): asserts holds {
  if (!holds) throw new Finding(kind, detail());
}

/** Rejects with a finding if the promise takes longer than `ms`. Every wait of the gateway must be limited. */
export async function within<T>(ms: number, kind: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Finding(kind, `not within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
