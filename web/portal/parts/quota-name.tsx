import type { Key } from '../api/keys.ts';
import type { QuotaUsage } from '../api/usage.ts';

interface Props {
  readonly quota: QuotaUsage;
  /** Undefined until they are read. */
  readonly keys: readonly Key[] | undefined;
}

/** The keys of a quota, without the old secrets of rotated keys, which count toward the same quota. */
export function currentKeys({ keys: ids }: Pick<QuotaUsage, 'keys'>, keys: readonly Key[]): readonly Key[] {
  return keys.filter(({ id, rotatedTo }) => ids.includes(id) && !ids.includes(rotatedTo ?? ''));
}

/** The keys that a sentence is about; `all`: every key of the user. */
export type SomeKeys = 'all' | readonly Key[];

/** The keys of some of the user's quotas. */
export function keysOf(some: readonly QuotaUsage[], all: readonly QuotaUsage[], keys: readonly Key[] = []): SomeKeys {
  const isInUse = ({ keys: ids }: QuotaUsage) => ids.length > 0;
  if (all.filter(isInUse).every((quota) => some.includes(quota))) return 'all';
  return some.flatMap((quota) => currentKeys(quota, keys));
}

/** Such as "your key Shop backend" or "3 of your keys". */
export function KeyNames({ keys }: { readonly keys: readonly Key[] }) {
  const [only] = keys;
  // The keys are still being loaded.
  if (only === undefined) return 'some of your keys';
  if (keys.length > 1) return `${keys.length} of your keys`;
  return (
    <>
      your key <bdi>{only.name}</bdi>
    </>
  );
}

/** Such as "Free plan, for Shop backend". */
export function PlanAndKeys({ quota, keys = [] }: Props) {
  const { planName, keys: ids } = quota;
  const current = currentKeys(quota, keys);
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
