export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/** Enough for short lists, such as plans and operations. */
const MAX_PAGES = 50;

/** Reads all pages of a short list. */
export async function readAllPages<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
    const { items: more, nextCursor } = await read(cursor);
    items.push(...more);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return items;
}
