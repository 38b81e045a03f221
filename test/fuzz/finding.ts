/** Something that must not happen, and did. */
export class Finding extends Error {
  /** Without tokens, times and ports: two findings of one kind have one cause, most likely. */
  readonly kind: string;

  constructor(kind: string, detail = '') {
    super(detail === '' ? kind : `${kind}: ${detail}`);
    this.name = 'Finding';
    this.kind = kind;
  }
}

/** @throws Finding unless something holds */
export function expectThat(holds: boolean, kind: string, detail: () => string = () => ''): asserts holds {
  if (!holds) throw new Finding(kind, detail());
}

/** Rejects with a finding if a promise takes longer than `ms`: every wait of the gateway has a limit. */
export async function within<T>(ms: number, kind: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Finding(kind, `not within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
