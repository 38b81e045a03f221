import { setImmediate } from 'node:timers/promises';
import type { ForeignKeyFormat } from '../../domain/key-format.ts';
import { cachedByName } from '../../http/headers.ts';
import { foreignKeyPattern } from '../../http/redact-keys.ts';
import type { Invalidation } from './credential-cache.ts';
import { AMBIGUOUS } from './presented-key.ts';

/**
 * Reads a key that another gateway created, as `presentedKey` reads ours.
 *
 * @returns null if no header has the form of such a key; AMBIGUOUS if its header was sent twice or two keys differ
 */
export type ReadForeignKey = (rawHeaders: readonly string[]) => string | typeof AMBIGUOUS | null;

/** @returns null if there are no formats, so that requests skip this */
export function createReadForeignKey(formats: readonly ForeignKeyFormat[]): ReadForeignKey | null {
  if (formats.length === 0) return null;
  const patterns = Map.groupBy(formats, ({ header }) => header.toLowerCase());
  const patternsOf = cachedByName((name) => patterns.get(name.toLowerCase())?.map(valuePattern) ?? null);

  return function readForeignKey(rawHeaders) {
    let found: string | null = null;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      const key = keyIn(rawHeaders[index + 1] ?? '', patternsOf(name));
      if (key === null) continue;
      if ((found !== null && found !== key) || isRepeated(rawHeaders, name)) return AMBIGUOUS;
      found = key;
    }
    return found;
  };
}

/** Whether a text that was sent as a key, outside of the header of a format, has the form of such a key. */
export function createIsForeignKey(formats: readonly ForeignKeyFormat[]): (text: string) => boolean {
  const patterns = formats.map((format) => new RegExp(`^${foreignKeyPattern(format)}$`));
  return (text) => patterns.some((pattern) => pattern.test(text));
}

function valuePattern({ scheme, ...format }: ForeignKeyFormat): RegExp {
  const before = scheme === undefined ? '' : `(?i:${RegExp.escape(scheme)}) +`;
  return new RegExp(`^${before}(${foreignKeyPattern(format)})$`);
}

function keyIn(value: string, patterns: readonly RegExp[] | null): string | null {
  if (patterns === null) return null;
  for (const pattern of patterns) {
    const key = pattern.exec(value)?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  const lowerCase = name.toLowerCase();
  return rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === lowerCase).length > 1;
}

/** Where the hashes of foreign keys are stored: the registry. */
interface ForeignHashSource {
  /** A page of hashes, in the order of creation. @param after position of the last one before the page, or 0 */
  foreignHashes(after: number, limit: number): Promise<readonly { readonly hash: string; readonly position: number }[]>;
  onInvalidation(listener: (what: Invalidation) => void): void;
}

/** Hashes per query: a few milliseconds. */
const PAGE = 5000;
/** Minimum time between attempts to read them, in ms. */
const RETRY_MS = 1000;

/**
 * The hashes of all foreign keys. A foreign key has no checksum, so without them, junk could only be told from keys by
 * asking the registry.
 */
export class ForeignHashes {
  readonly #source: ForeignHashSource;
  readonly #onError: (error: unknown) => void;
  /** Null while they must be read (again). */
  #hashes: Set<string> | null = null;
  /** Hashes announced while the others are being read. */
  #announced = new Set<string>();
  #reading: Promise<void> | null = null;
  #triedAt = -Infinity;

  constructor(source: ForeignHashSource, onError: (error: unknown) => void) {
    this.#source = source;
    this.#onError = onError;
    source.onInvalidation((what) => {
      if (what.kind === 'key') {
        if (this.#reading !== null) this.#announced.add(what.hash);
        this.#hashes?.add(what.hash);
      } else {
        this.#hashes = null;
        this.#announced = new Set();
        // Reading starts with the next unknown key.
        this.#triedAt = -Infinity;
      }
    });
  }

  /** False only if no key has this hash. */
  mayExist(hash: string): boolean {
    if (this.#hashes !== null) return this.#hashes.has(hash);
    if (this.#reading === null && performance.now() - this.#triedAt >= RETRY_MS) {
      this.#reading = this.#read()
        .catch(this.#onError)
        .finally(() => (this.#reading = null));
    }
    return true;
  }

  async #read(): Promise<void> {
    this.#triedAt = performance.now();
    const announced = (this.#announced = new Set());
    const hashes = new Set<string>();
    let after = 0;
    for (;;) {
      const page = await this.#source.foreignHashes(after, PAGE);
      for (const { hash } of page) hashes.add(hash);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last.position;
      await setImmediate();
    }
    // Otherwise everything may have changed in the meantime, and the next unknown key starts another read.
    if (announced === this.#announced) this.#hashes = hashes.union(announced);
  }
}
