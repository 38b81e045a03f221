import { useQuery } from '@tanstack/react-query';
import type { Period } from '../../shared/traffic/period.ts';
import { Section } from '../../shared/ui/page/page.tsx';
import type { HistoryFilters } from '../api/history/history.ts';
import { operationsQuery } from '../api/operations.ts';
import { LifecycleState } from './lifecycle-state.tsx';
import { OperationName } from './operation-name.tsx';
import { Outcomes } from './outcomes.tsx';
import styles from './parts.module.css';
import { Ranking } from './ranking.tsx';

interface Props {
  readonly filters: HistoryFilters;
  readonly period: Period;
}

/** Shows the calls of a key or an owner by operation and outcome. */
export function Breakdown({ filters, period }: Props) {
  const operations = useQuery(operationsQuery).data;
  const none = <p className={styles.none}>No requests yet.</p>;
  return (
    <div className={styles.columns}>
      <Section title="Operations">
        <Ranking
          period={period}
          by="operation"
          filters={filters}
          header="Operation"
          caption="Called operations"
          nameOf={(id) => {
            const operation = operations?.find((one) => one.id === id);
            return (
              <>
                <OperationName id={id} operation={operation} />
                {operation?.lifecycle.deprecated === true && <LifecycleState lifecycle={operation.lifecycle} />}
              </>
            );
          }}
          empty={none}
        />
      </Section>
      <Section title="Outcomes">
        <Outcomes period={period} filters={filters} caption="Outcomes of the calls" empty={none} />
      </Section>
    </div>
  );
}
