interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/**
 * Reads all pages of a list.
 *
 * @param onProgress gets the number of items read so far
 */
export async function readAll<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
  onProgress: (read: number) => void,
): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
    const { items, nextCursor } = await readPage(cursor);
    all.push(...items);
    onProgress(all.length);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
