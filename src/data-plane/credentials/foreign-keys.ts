import { setImmediate } from 'node:timers/promises';
import type { ForeignKeyFormat } from '../../domain/key-format.ts';
import { cachedByName } from '../../http/headers.ts';
import { buildForeignKeyPattern } from '../../http/redact-keys.ts';
import type { Invalidation } from './credential-cache.ts';
import { AMBIGUOUS } from './presented-key.ts';

/**
 * Reads the foreign key of a request: a key that another gateway created and this gateway accepts.
 *
 * @returns null if no header contains one; AMBIGUOUS if its header was sent twice, or two different keys were sent
 */
export type ReadForeignKey = (rawHeaders: readonly string[]) => string | typeof AMBIGUOUS | null;

/** @returns null if there are no formats, so that no request needs the check */
export function createReadForeignKey(formats: readonly ForeignKeyFormat[]): ReadForeignKey | null {
  if (formats.length === 0) return null;
  const formatsByHeader = Map.groupBy(formats, ({ header }) => header.toLowerCase());
  const findPatterns = cachedByName((name) => formatsByHeader.get(name.toLowerCase())?.map(createValuePattern) ?? null);

  return function readForeignKey(rawHeaders) {
    let foundKey: string | null = null;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      const key = extractKey(rawHeaders[index + 1] ?? '', findPatterns(name));
      if (key === null) continue;
      if ((foundKey !== null && foundKey !== key) || isRepeated(rawHeaders, name)) return AMBIGUOUS;
      foundKey = key;
    }
    return foundKey;
  };
}

/**
 * Creates the check whether a text has the form of a foreign key. Use it for a key that does not come from the header of
 * its format, such as a WebSocket subprotocol.
 */
export function createIsForeignKey(formats: readonly ForeignKeyFormat[]): (text: string) => boolean {
  const patterns = formats.map((format) => new RegExp(`^${buildForeignKeyPattern(format)}$`));
  return (text) => patterns.some((pattern) => pattern.test(text));
}

function createValuePattern({ scheme, ...format }: ForeignKeyFormat): RegExp {
  const schemePattern = scheme === undefined ? '' : `(?i:${RegExp.escape(scheme)}) +`;
  return new RegExp(`^${schemePattern}(${buildForeignKeyPattern(format)})$`);
}

function extractKey(value: string, patterns: readonly RegExp[] | null): string | null {
  if (patterns === null) return null;
  for (const pattern of patterns) {
    const key = pattern.exec(value)?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  const lowerCase = name.toLowerCase();
  return (
    rawHeaders.filter((headerOrValue, index) => index % 2 === 0 && headerOrValue.toLowerCase() === lowerCase).length > 1
  );
}

/** The source of the hashes of foreign keys: the registry. */
interface ForeignHashesSource {
  /**
   * Reads a page of hashes, in the order of creation.
   *
   * @param after position of the last hash of the previous page; 0 for the first page
   */
  listForeignHashes(
    after: number,
    limit: number,
  ): Promise<readonly { readonly hash: string; readonly position: number }[]>;
  onInvalidation(listener: (invalidation: Invalidation) => void): void;
}

/** Number of hashes per query, so that a query takes only a few milliseconds. */
const PAGE_SIZE = 5000;
/** Minimum time between attempts to read the hashes, in ms. */
const RETRY_MS = 1000;

/**
 * The hashes of all foreign keys, to recognize junk without a lookup in the registry. Keys of this gateway do not need
 * that, because they have a checksum.
 */
export class ForeignHashes {
  readonly #source: ForeignHashesSource;
  readonly #onError: (error: unknown) => void;
  /** Null until the hashes have been read, and after any key may have changed. */
  #hashes: Set<string> | null = null;
  /** Hashes of keys that were created or changed during the current read. */
  #announced = new Set<string>();
  #reading: Promise<void> | null = null;
  #lastReadAt = -Infinity;

  constructor(source: ForeignHashesSource, onError: (error: unknown) => void) {
    this.#source = source;
    this.#onError = onError;
    source.onInvalidation((invalidation) => {
      if (invalidation.kind === 'key') {
        if (this.#reading !== null) this.#announced.add(invalidation.hash);
        this.#hashes?.add(invalidation.hash);
      } else {
        this.#hashes = null;
        this.#announced = new Set();
        // The next unknown key starts a read.
        this.#lastReadAt = -Infinity;
      }
    });
  }

  /** Whether a key may have this hash. True while the hashes are not known. */
  mayExist(hash: string): boolean {
    if (this.#hashes !== null) return this.#hashes.has(hash);
    if (this.#reading === null && performance.now() - this.#lastReadAt >= RETRY_MS) {
      this.#reading = this.#read()
        .catch(this.#onError)
        .finally(() => (this.#reading = null));
    }
    return true;
  }

  async #read(): Promise<void> {
    this.#lastReadAt = performance.now();
    const announced = (this.#announced = new Set());
    const hashes = new Set<string>();
    let after = 0;
    for (;;) {
      const page = await this.#source.listForeignHashes(after, PAGE_SIZE);
      for (const { hash } of page) hashes.add(hash);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) break;
      after = last.position;
      await setImmediate();
    }
    // If `#announced` was replaced during the read, any key may have changed since. The result is then discarded, and
    // the next unknown key starts another read.
    if (announced === this.#announced) this.#hashes = hashes.union(announced);
  }
}
