import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { type Period, readPeriod } from '../../../shared/traffic/period.ts';
import { OutcomesTable } from '../../../shared/traffic/outcomes-table.tsx';
import { RankingTable } from '../../../shared/traffic/ranking-table.tsx';
import { Traffic } from '../../../shared/traffic/traffic.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { SaveCsv } from '../../../shared/ui/overlays/save-csv.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { Kept } from '../../../shared/ui/page/kept.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { keysQuery, formatKeyLabel } from '../../api/keys.ts';
import { type HistoryGroup, historyQuery, readHistoryCsv } from '../../api/usage.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { OperationLink } from '../../parts/operation-link.tsx';
import parts from '../../parts/parts.module.css';
import { usePrevious } from '../../parts/use-previous.ts';
import { QuotaToday } from './quota-today.tsx';

/** Shows what the user called, and with which outcomes. */
export function UsageScreen() {
  const search = useSearch({ from: '/usage' });
  const period = readPeriod(search);
  const navigate = useNavigate({ from: '/usage' });
  const keys = useQuery(keysQuery).data?.items ?? [];
  const history = useQuery(historyQuery(period, { key: search.key }));
  const previous = usePrevious(history, search.key);
  return (
    <Page title="Usage" summary={<p>Your requests and their outcomes. Counts are up to 10 seconds behind.</p>}>
      <QuotaToday />
      {keys.length > 1 && (
        <Toolbar>
          <FilterSelect
            label="Key"
            value={search.key ?? ''}
            options={keys.map((key) => ({ value: key.id, label: formatKeyLabel(key) }))}
            onChange={(key) => void navigate({ search: (all) => ({ ...all, key }), replace: true })}
          />
        </Toolbar>
      )}
      <Traffic
        history={history}
        previous={previous}
        period={period}
        failure={<ReadFailure query={history} what="your usage" />}
      />
      {search.key === undefined && <Ranking by="key" period={period} keyId={search.key} />}
      <Ranking by="operation" period={period} keyId={search.key} />
      <Ranking by="outcome" period={period} keyId={search.key} />
    </Page>
  );
}

type TableProps = ComponentProps<typeof OutcomesTable>;

const TITLES = { key: 'Keys', operation: 'Operations', outcome: 'Outcomes' } as const;
const TABLES = {
  key: (props: TableProps) => <RankingTable {...props} header="Key" nameOf={(id) => <KeyName id={id} />} withUnits />,
  operation: (props: TableProps) => (
    <RankingTable {...props} header="Operation" nameOf={(id) => <OperationLink id={id} />} withUnits />
  ),
  outcome: OutcomesTable,
} as const;

interface NameProps {
  readonly id: string | null;
}

function KeyName({ id }: NameProps) {
  const key = useQuery(keysQuery).data?.items.find((one) => one.id === id);
  if (key === undefined) return <code>{id ?? 'other'}</code>;
  return (
    <Link to="/usage" search={(all) => ({ ...all, key: key.id })}>
      <bdi>{formatKeyLabel(key)}</bdi>
    </Link>
  );
}

interface RankingProps {
  readonly by: HistoryGroup;
  readonly period: Period;
  readonly keyId: string | undefined;
}

function Ranking({ by, period, keyId }: RankingProps) {
  const history = useQuery(historyQuery(period, { key: keyId, by }));
  const [title, Table] = [TITLES[by], TABLES[by]];
  const { name = 'custom' } = period;
  return (
    <Section
      title={title}
      aside={
        history.data !== undefined &&
        history.data.series.length > 0 && (
          <SaveCsv
            file={`usage-by-${by}-${name}.csv`}
            label={`Export CSV of ${title.toLowerCase()}`}
            read={() => readHistoryCsv(period, { key: keyId, by })}
          />
        )
      }
    >
      {history.isPending && <Loading rows={4} />}
      {history.isError && history.data === undefined && <ReadFailure query={history} what={title.toLowerCase()} />}
      {history.data !== undefined && (
        <Kept isOld={history.isPlaceholderData}>
          <Table
            history={history.data}
            caption={`${title} with the most requests ${history.data.period.words}`}
            empty={<p className={parts.small}>None {history.data.period.words}.</p>}
          />
        </Kept>
      )}
    </Section>
  );
}
