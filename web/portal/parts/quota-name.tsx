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
  // The old secret of a key that was replaced is listed too, and counts on the same quota.
  const replaced = keys.filter(
    ({ id, rotatedTo }) => ids.includes(id) && rotatedTo !== null && ids.includes(rotatedTo),
  );
  const many = ids.length - replaced.length;
  const only = many === 1 ? keys.find((key) => ids.includes(key.id) && !replaced.includes(key)) : undefined;
  return (
    <>
      {planName} plan
      {many === 0 && ', for keys that you create here'}
      {many > 1 && `, shared by ${many} of your keys`}
      {only !== undefined && (
        <>
          , for <bdi>{only.name}</bdi>
        </>
      )}
    </>
  );
}
