import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { count } from '../../../shared/format/number.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { Plan } from '../../api/plans.ts';
import parts from '../../parts/parts.module.css';
import { includedInWords } from './selectors-in-words.ts';
import styles from './plan-card.module.css';

/** Plans side by side. */
export function PlanCards({ children }: { readonly children: ReactNode }) {
  return <div className={styles.cards}>{children}</div>;
}

interface Props {
  readonly plan: Plan;
  readonly isCurrent?: boolean;
  /** At the bottom, at the same height on each card. */
  readonly action?: ReactNode;
}

/** What a plan offers. */
export function PlanCard({ plan: { name, description, limits, operations }, isCurrent = false, action }: Props) {
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
      <p className={parts.muted}>{description}</p>
      {limits === null ? (
        <p>Custom limits</p>
      ) : (
        <dl className={styles.limits}>
          <Limit value={limits.minute} unit="calls a minute" />
          <Limit value={limits.day} unit="calls a day" />
          {limits.month !== undefined && <Limit value={limits.month} unit="calls a month" />}
        </dl>
      )}
      <p className={parts.muted}>{includedInWords(operations)}</p>
      <div className={styles.action}>{action}</div>
    </article>
  );
}

function Limit({ value, unit }: { readonly value: number; readonly unit: string }) {
  return (
    <div>
      <dd>{count(value)}</dd>
      <dt>{unit}</dt>
    </div>
  );
}
