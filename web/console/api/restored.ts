/** The fields that a patch changes, as they were: what takes it back. */
export function restored<Patch extends object>(before: Patch, patch: Patch): Patch {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, before[field as keyof Patch]])) as Patch;
}
