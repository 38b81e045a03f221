/** A batch is flushed at this size. */
const MAX_BATCH = 64;

/**
 * Collects what arrives in one turn of the event loop and processes it together, once all readable sockets were read.
 * Reading everything and then answering everything costs far less than alternating: the code and data of each phase
 * stay in the processor's caches, and peers are woken once rather than for every answer. An item waits only while the
 * others are read, and not at all if it is alone.
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
