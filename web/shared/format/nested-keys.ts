/** A key, with the id of the one that replaced it when it was rotated. */
interface Replaceable {
  readonly id: string;
  readonly rotatedTo: string | null;
}

/** The keys in their order, each followed by those that it replaced, latest first. */
export function nestedKeys<Key extends Replaceable>(keys: readonly Key[]): readonly Key[] {
  const ids = new Set(keys.map(({ id }) => id));
  const newest = keys.filter(({ rotatedTo }) => rotatedTo === null || !ids.has(rotatedTo));
  const replacedBy = replacements(keys);
  return newest.flatMap((key) => [key, ...replacedBy(key)]);
}

/** @returns the keys that a key replaced, directly or indirectly, latest first */
export function replacements<Key extends Replaceable>(keys: readonly Key[]): (key: Key) => readonly Key[] {
  const bySuccessor = Map.groupBy(keys, ({ rotatedTo }) => rotatedTo);
  const replacedBy = (key: Key): readonly Key[] =>
    (bySuccessor.get(key.id) ?? []).flatMap((each) => [each, ...replacedBy(each)]);
  return replacedBy;
}
