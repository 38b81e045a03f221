import type { Key } from '../api/keys.ts';
import type { QuotaUsage } from '../api/usage.ts';
import parts from './parts.module.css';

interface Props {
  readonly quota: QuotaUsage;
  /** Undefined until they are read. */
  readonly keys: readonly Key[] | undefined;
}

/** Distinguishes quotas: by the key, if there is only one. */
export function QuotaName({ quota, keys }: Props) {
  return (
    <p className={parts.small}>
      <PlanAndKeys quota={quota} keys={keys} />
    </p>
  );
}

/** Such as "Free plan, for Shop backend". */
export function PlanAndKeys({ quota: { planName, keys: ids }, keys = [] }: Props) {
  // Without the old secrets of keys that were replaced, which are listed too and count on the same quota.
  const current = keys.filter(({ id, rotatedTo }) => ids.includes(id) && !ids.includes(rotatedTo ?? ''));
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
