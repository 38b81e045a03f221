import { useQuery } from '@tanstack/react-query';
import { Section } from '../../../shared/ui/page/page.tsx';
import { operationsQuery } from '../../api/operations.ts';
import type { Period } from '../../../shared/traffic/period.ts';
import { OperationName } from '../../parts/operation-name.tsx';
import { OutcomeName } from '../../../shared/traffic/outcome-name.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';

/** What a key calls, and what becomes of it. */
export function KeyBreakdown({ id, period }: { readonly id: string; readonly period: Period }) {
  const operations = useQuery(operationsQuery).data;
  const none = <p className={parts.none}>No requests yet.</p>;
  return (
    <div className={parts.columns}>
      <Section title="Operations">
        <Ranking
          period={period}
          by="operation"
          filters={{ key: id }}
          header="Operation"
          caption="Operations called with this key"
          nameOf={(operation) => (
            <OperationName id={operation} operation={operations?.find((one) => one.id === operation)} />
          )}
          empty={none}
        />
      </Section>
      <Section title="Outcomes">
        <Ranking
          period={period}
          by="outcome"
          filters={{ key: id }}
          header="Outcome"
          caption="Outcomes of this key's calls"
          nameOf={(outcome) => <OutcomeName outcome={outcome} />}
          empty={none}
        />
      </Section>
    </div>
  );
}
