/** Creates the patch that undoes a patch: the same fields, with their previous values. */
export function pickEarlierValues<Patch extends object>(before: Patch, patch: Patch): Patch {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, before[field as keyof Patch]])) as Patch;
}
