/** So many are not kept waiting for more. */
const MOST = 64;

/**
 * Collects what arrives in one turn of the event loop, to be done together when all sockets that had something to say
 * were read. Reading for all and then answering all costs far less than doing both for one after the other: the code
 * and data of each stay in the processor's caches, and peers are woken once and not for every answer. An item waits for
 * no longer than the others take to be read, and for no time at all where it is alone.
 */
export class TurnBatch<Item> {
  readonly #handle: (items: Item[]) => void;
  #items: Item[] = [];
  #scheduled = false;

  /** @param handle is handed what was collected, in the order in which it came; must not throw */
  constructor(handle: (items: Item[]) => void) {
    this.#handle = handle;
  }

  add(item: Item): void {
    if (this.#items.push(item) === MOST) this.#flush();
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
