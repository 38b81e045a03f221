import { Fragment, type ReactNode, useState } from 'react';
import { plural } from '../../shared/format/number.ts';
import type { QuotaUsage } from '../api/usage.ts';
import parts from './parts.module.css';

interface Props {
  readonly quotas: readonly QuotaUsage[];
  readonly children: (quota: QuotaUsage) => ReactNode;
}

/** Each quota, the first always; others that are not in use are folded. */
export function EachQuota({ quotas, children }: Props) {
  const [open, setOpen] = useState(false);
  const [first, ...others] = quotas;
  const idle = others.filter(({ ban, windows }) => ban === null && windows.every(({ used }) => used === 0));
  const shown = quotas.filter((quota) => quota === first || !idle.includes(quota));
  const all = (some: readonly QuotaUsage[]) =>
    some.map((quota) => <Fragment key={quota.quotaId}>{children(quota)}</Fragment>);
  return (
    <>
      {all(shown)}
      {idle.length > 0 && (
        <details className={parts.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{plural(idle.length, 'more quota')} without a request today</summary>
          {open && all(idle)}
        </details>
      )}
    </>
  );
}
