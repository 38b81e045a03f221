import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, pluralize, formatShare } from '../../../shared/format/number.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { Plan } from '../../api/plans.ts';
import type { QuotaUsage } from '../../api/usage.ts';
import parts from '../../parts/parts.module.css';
import { GuideLink } from '../../markdown/guide-link.tsx';
import styles from './plan-card.module.css';

/** The number of operations that are shown at first. The others are collapsed. */
const SHOWN_OPERATIONS = 8;

/** Shows plans side by side. */
export function PlanCards({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <div className={styles.cards}>{children}</div>
      <p className={parts.small}>
        Calls over a limit are refused until the limit resets. Some operations can count as more than one call. See{' '}
        <GuideLink page="limits">limits</GuideLink>.
      </p>
    </>
  );
}

interface Props {
  readonly plan: Plan;
  readonly isCurrent?: boolean;
  /** The user's current usage, shown beside the limits. */
  readonly usage?: QuotaUsage | undefined;
  /** An action at the bottom of the card, at the same height on all cards. */
  readonly action?: ReactNode;
}

/** A card with the limits and the price of a plan. */
export function PlanCard({
  plan: { name, description, priceText, limits, concurrent, includes },
  isCurrent = false,
  usage,
  action,
}: Props) {
  return (
    <article className={`${parts.card} ${styles.card}`} data-current={isCurrent}>
      <header className={parts.cardHead}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {isCurrent && (
          <Badge tone="accent" icon={CircleCheck}>
            Your plan
          </Badge>
        )}
      </header>
      <p className={styles.price}>{priceText}</p>
      <p className={parts.muted}>{description}</p>
      {limits === null ? (
        <p>Custom limits{concurrent !== null && `, at most ${pluralize(concurrent, 'call')} at once`}</p>
      ) : (
        <dl className={styles.limits}>
          <Limit value={limits.minute} unit="calls a minute" />
          <Limit value={limits.day} unit="calls a day" used={findUsed(usage, 'day')} now="today" />
          {limits.month !== undefined && (
            <Limit value={limits.month} unit="calls a month" used={findUsed(usage, 'month')} now="this month" />
          )}
          {concurrent !== null && <Limit value={concurrent} unit="calls at once" />}
        </dl>
      )}
      <Included includes={includes} />
      <div className={styles.action}>{action}</div>
    </article>
  );
}

/** Lists the operations that the plan includes. */
function Included({ includes }: Pick<Plan, 'includes'>) {
  if (includes === null) return <p className={parts.muted}>All operations</p>;
  const rest = includes.slice(SHOWN_OPERATIONS);
  return (
    <div>
      <p className={parts.muted}>Only these operations:</p>
      <IncludedList includes={includes.slice(0, SHOWN_OPERATIONS)} />
      {rest.length > 0 && (
        <details>
          <summary>{formatCount(rest.length)} more</summary>
          <IncludedList includes={rest} />
        </details>
      )}
    </div>
  );
}

function IncludedList({ includes }: { readonly includes: NonNullable<Plan['includes']> }) {
  return (
    <ul className={styles.includes}>
      {includes.map(({ selector, name, operation, operations }) => (
        <li key={selector}>
          {operation === null ? (
            <>
              <bdi>{name}</bdi> <span className={parts.small}>{pluralize(operations, 'operation')}</span>
            </>
          ) : (
            <Link to="/reference/$id" params={{ id: operation }}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function findUsed(usage: QuotaUsage | undefined, window: 'day' | 'month'): number | undefined {
  return usage?.windows.find(({ name }) => name === window)?.used;
}

interface LimitProps {
  readonly value: number;
  readonly unit: string;
  /** The user's usage. `now` names the window that it belongs to. */
  readonly used?: number | undefined;
  readonly now?: string;
}

function Limit({ value, unit, used, now }: LimitProps) {
  return (
    <div>
      <dt>{unit}</dt>
      <dd>{formatCount(value)}</dd>
      {used !== undefined && (
        <dd className={styles.used}>
          {formatCount(used)} used {now} ({used > value ? 'over the limit' : formatShare(used, value)})
        </dd>
      )}
    </div>
  );
}
