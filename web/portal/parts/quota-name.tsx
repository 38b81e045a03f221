import type { Key } from '../api/keys.ts';
import type { QuotaUsage } from '../api/usage.ts';
import parts from './parts.module.css';

interface Props {
  readonly quota: QuotaUsage;
  /** Undefined until they are read. */
  readonly keys: readonly Key[] | undefined;
}

/** Distinguishes quotas: by the key, if there is only one. */
export function QuotaName({ quota: { planName, keys: ids }, keys }: Props) {
  const only = ids.length === 1 ? keys?.find(({ id }) => id === ids[0]) : undefined;
  return (
    <p className={parts.small}>
      {planName} plan
      {ids.length === 0 && ', for keys that you create here'}
      {ids.length > 1 && `, shared by ${ids.length} of your keys`}
      {only !== undefined && (
        <>
          , for <bdi>{only.name}</bdi>
        </>
      )}
    </p>
  );
}
