import type { Key } from '../api/keys.ts';
import type { QuotaUsage } from '../api/usage.ts';

interface Props {
  readonly quota: QuotaUsage;
  /** Undefined until the keys are loaded. */
  readonly keys: readonly Key[] | undefined;
}

/** Finds the keys of a quota. Secrets that were replaced are left out, although they count toward the same quota. */
export function findCurrentKeys({ keys: ids }: Pick<QuotaUsage, 'keys'>, keys: readonly Key[]): readonly Key[] {
  return keys.filter(({ id, rotatedTo }) => ids.includes(id) && !ids.includes(rotatedTo ?? ''));
}

/** The keys that a sentence is about. `all` means every key of the user. */
export type SomeKeys = 'all' | readonly Key[];

/** Finds the keys of some quotas. Returns `all` if no other quota has keys. */
export function findAffectedKeys(
  some: readonly QuotaUsage[],
  all: readonly QuotaUsage[],
  keys: readonly Key[] = [],
): SomeKeys {
  const isInUse = ({ keys: ids }: QuotaUsage) => ids.length > 0;
  if (all.filter(isInUse).every((quota) => some.includes(quota))) return 'all';
  return some.flatMap((quota) => findCurrentKeys(quota, keys));
}

/** Names keys in a sentence, such as "your key Shop backend" or "3 of your keys". */
export function KeyNames({ keys }: { readonly keys: readonly Key[] }) {
  const [only] = keys;
  // There is no key while the keys are loading.
  if (only === undefined) return 'some of your keys';
  if (keys.length > 1) return `${keys.length} of your keys`;
  return (
    <>
      your key <bdi>{only.name}</bdi>
    </>
  );
}

/** Names the plan of a quota and its keys, such as "Free plan, for Shop backend". */
export function PlanAndKeys({ quota, keys = [] }: Props) {
  const { planName, keys: ids } = quota;
  const current = findCurrentKeys(quota, keys);
  const [only] = current.length === 1 ? current : [];
  return (
    <>
      {planName} plan
      {ids.length === 0 && ', for keys that you create here'}
      {current.length > 1 && `, shared by ${current.length} of your keys`}
      {only !== undefined && (
        <>
          , for <bdi>{only.name}</bdi>
        </>
      )}
    </>
  );
}
