/** Maximum size of a batch. A batch of this size is flushed immediately. */
const MAX_BATCH = 64;

/**
 * Collects the items that arrive in one turn of the event loop, and processes them together after all readable sockets
 * have been read. Reading everything first and answering everything afterwards costs far less than alternating: the
 * code and data of each phase stay in the processor's caches, and a peer is woken once rather than for every answer. An
 * item waits only while the rest of its batch is read. A single item does not wait.
 */
export class EventLoopBatch<Item> {
  readonly #handle: (items: Item[]) => void;
  #items: Item[] = [];
  #scheduled = false;

  /** @param handle receives the collected items in order of arrival; must not throw */
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
