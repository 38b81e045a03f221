/** The members and items of a value that some schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();
  /** All items before this index have been evaluated. */
  itemCount = 0;

  hasItem(index: number): boolean {
    return index < this.itemCount || this.indexes.has(index);
  }

  add(other: Evaluated): void {
    for (const name of other.names) this.names.add(name);
    for (const index of other.indexes) this.indexes.add(index);
    this.itemCount = Math.max(this.itemCount, other.itemCount);
  }
}
