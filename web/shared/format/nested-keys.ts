/** A key that may have been replaced in a rotation. `rotatedTo` is the id of the key that replaced it. */
interface Replaceable {
  readonly id: string;
  readonly rotatedTo: string | null;
}

/** Sorts the keys so that each is followed by the keys that it replaced, latest first. Otherwise, the order stays. */
export function nestKeys<Key extends Replaceable>(keys: readonly Key[]): readonly Key[] {
  const ids = new Set(keys.map(({ id }) => id));
  const newest = keys.filter(({ rotatedTo }) => rotatedTo === null || !ids.has(rotatedTo));
  const replacedBy = createPredecessorFinder(keys);
  return newest.flatMap((key) => [key, ...replacedBy(key)]);
}

/** @returns a function that finds the keys that a given key replaced, directly or indirectly, latest first */
export function createPredecessorFinder<Key extends Replaceable>(keys: readonly Key[]): (key: Key) => readonly Key[] {
  const bySuccessor = Map.groupBy(keys, ({ rotatedTo }) => rotatedTo);
  const replacedBy = (key: Key): readonly Key[] =>
    (bySuccessor.get(key.id) ?? []).flatMap((each) => [each, ...replacedBy(each)]);
  return replacedBy;
}
