/** Maximum size of a batch. A batch of this size is flushed immediately. */
const MAX_BATCH = 64;

/**
 * Collects the items that arrive in one turn of the event loop, and processes them together after all readable sockets
 * have been read. Reading all requests first and then answering all of them is much cheaper than alternating. The code
 * and data of each phase stay in the processor's caches, and a peer is woken once instead of once per response. An item
 * waits only while the rest of its batch is read.
 */
export class EventLoopBatch<Item> {
  readonly #handle: (items: Item[]) => void;
  #items: Item[] = [];
  #scheduled = false;

  /** @param handle called with the collected items in order of arrival; must not throw */
  constructor(handle: (items: Item[]) => void) {
    this.#handle = handle;
  }

  add(item: Item): void {
    if (this.#items.push(item) === MAX_BATCH) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        if (this.#items.length > 0) this.#flush();
      });
    }
  }

  #flush(): void {
    const items = this.#items;
    this.#items = [];
    this.#handle(items);
  }
}
