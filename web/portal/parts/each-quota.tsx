import { Fragment, type ReactNode, useState } from 'react';
import { plural } from '../../shared/format/number.ts';
import type { QuotaUsage } from '../api/usage.ts';
import parts from './parts.module.css';

interface Props {
  readonly quotas: readonly QuotaUsage[];
  readonly children: (quota: QuotaUsage) => ReactNode;
}

/** Whether calls were counted in a window that is open, or the quota is banned. */
export function isInUse({ ban, windows }: QuotaUsage): boolean {
  return ban !== null || windows.some(({ used }) => used > 0);
}

/** Shows each quota that is in use, or else the first. The others are folded. */
export function EachQuota({ quotas, children }: Props) {
  const [open, setOpen] = useState(false);
  const busy = quotas.filter(isInUse);
  const shown = busy.length > 0 ? busy : quotas.slice(0, 1);
  const idle = quotas.filter((quota) => !shown.includes(quota));
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
