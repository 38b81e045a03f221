import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useIsCompared } from '../../../shared/traffic/compare.tsx';
import { previousTimes } from '../../../shared/traffic/comparison.ts';
import { type Period, periodFrom } from '../../../shared/traffic/period.ts';
import { OutcomeName } from '../../../shared/traffic/outcome-name.tsx';
import { RankingTable } from '../../../shared/traffic/ranking-table.tsx';
import { Traffic } from '../../../shared/traffic/traffic.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { Page, Section, Toolbar } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { keysQuery, labelOf } from '../../api/keys.ts';
import { historyQuery, previousQuery } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { OperationLink } from '../../parts/operation-link.tsx';
import parts from '../../parts/parts.module.css';

/** What did I call, and how did it go? */
export function UsageScreen() {
  const search = useSearch({ from: '/usage' });
  const period = periodFrom(search);
  const navigate = useNavigate({ from: '/usage' });
  const keys = useQuery(keysQuery).data?.items ?? [];
  const history = useQuery(historyQuery(period, search.key));
  const isCompared = useIsCompared();
  const times = isCompared && history.data !== undefined ? previousTimes(history.data, history.dataUpdatedAt) : null;
  const previous = useQuery(previousQuery(times, search.key));
  return (
    <Page title="Usage" answer={<p>Your requests and their outcomes. Counts are up to 10 seconds behind.</p>}>
      {keys.length > 1 && (
        <Toolbar>
          <FilterSelect
            label="Key"
            value={search.key ?? ''}
            options={keys.map((key) => ({ value: key.id, label: labelOf(key) }))}
            onChange={(key) => void navigate({ search: (all) => ({ ...all, key }), replace: true })}
          />
        </Toolbar>
      )}
      <Traffic
        history={history}
        previous={isCompared ? previous : undefined}
        period={period}
        failure={<ReadFailure query={history} what="your usage" />}
      />
      <div className={parts.columns}>
        <Ranking title="Operations" by="operation" period={period} keyId={search.key} />
        <Ranking title="Outcomes" by="outcome" period={period} keyId={search.key} />
      </div>
    </Page>
  );
}

interface RankingProps {
  readonly title: string;
  readonly by: 'operation' | 'outcome';
  readonly period: Period;
  readonly keyId: string | undefined;
}

function Ranking({ title, by, period, keyId }: RankingProps) {
  const history = useQuery(historyQuery(period, keyId, by));
  const nameOf = (group: string | null) =>
    by === 'operation' ? <OperationLink id={group} /> : <OutcomeName outcome={group} />;
  return (
    <Section title={title}>
      {history.isPending && <Loading rows={4} />}
      {history.isError && history.data === undefined && <ReadFailure query={history} what={title.toLowerCase()} />}
      {history.data !== undefined && (
        <RankingTable
          history={history.data}
          header={by === 'operation' ? 'Operation' : 'Outcome'}
          caption={`${title} with the most requests ${period.words}`}
          nameOf={nameOf}
          empty={<p className={parts.small}>None {period.words}.</p>}
        />
      )}
    </Section>
  );
}
