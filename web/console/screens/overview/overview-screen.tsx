import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { count, share } from '../../../shared/format/number.ts';
import { lazyPart } from '../../../shared/behaviour/lazy-part.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty } from '../../../shared/ui/page/states.tsx';
import { historyQuery } from '../../api/history/history.ts';
import { activeBansQuery } from '../../api/lists.ts';
import { PERIODS, type Period, periodFrom } from '../../../shared/traffic/period.ts';
import { KeyName } from '../../parts/keys/key-name.tsx';
import { OutcomeName } from '../../../shared/traffic/outcome-name.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';
import { Traffic } from '../../parts/traffic.tsx';
import { DeprecatedCalls } from './deprecated-calls.tsx';
import { Health } from '../../parts/health.tsx';
import { ComponentTroubles } from '../../parts/component-troubles.tsx';

// Below the fold, and not needed to see whether all is well.
const AuditTable = lazyPart(async () => (await import('../../parts/audit/audit-table.tsx')).AuditTable);
const BanList = lazyPart(async () => (await import('../../parts/ban-list.tsx')).BanList);

export function OverviewScreen() {
  const period = periodFrom(useSearch({ from: '/overview' }).period);
  const nothing = (
    <Empty icon={Activity} title="No calls yet">
      Call the gateway with a key, and this fills.
    </Empty>
  );
  return (
    <Page title="Overview" answer={<Answer period={period} />} actions={<Health />}>
      <ComponentTroubles />
      <Traffic period={period} />
      <div className={parts.columns}>
        <Section title="Keys that called the most" aside={<Link to="/keys">All keys</Link>}>
          <Ranking
            period={period}
            by="key"
            limit={6}
            header="Key"
            caption="Keys with the most requests"
            nameOf={(id) => <KeyName id={id} />}
            empty={nothing}
          />
        </Section>
        <Section title="What became of the calls">
          <Ranking
            period={period}
            by="outcome"
            limit={6}
            header="Outcome"
            caption="Outcomes of requests"
            nameOf={(outcome) => <OutcomeName outcome={outcome} />}
            empty={nothing}
          />
        </Section>
      </div>
      <DeprecatedCalls period={period} />
      <div className={parts.columns}>
        <Section title="Bans that run" aside={<Link to="/bans">All bans</Link>}>
          <BanList filters={{ status: 'active' }} short none="No ban runs." />
        </Section>
        <Section title="Recent changes" aside={<Link to="/audit">All changes</Link>}>
          <AuditTable filters={{}} short />
        </Section>
      </div>
    </Page>
  );
}

/** Is all well? */
function Answer({ period }: { readonly period: Period }) {
  const totals = useQuery(historyQuery(period)).data?.series[0]?.totals;
  const bans = useQuery(activeBansQuery).data;
  if (totals === undefined) return null;
  if (totals.requests === 0) return <p>Nothing was called in the last {PERIODS[period].words}.</p>;
  const { requests, errors, refused } = totals;
  const served = requests - errors - refused;
  return (
    <p>
      <strong>{share(served, requests)}</strong> of {count(requests)} calls in the last {PERIODS[period].words} were
      served
      {errors > 0 ? `; ${share(errors, requests)} ended in an error` : ''}
      {bans !== undefined && bans.count > 0 ? `; ${count(bans.count)}${bans.more ? '+' : ''} banned now` : ''}.
    </p>
  );
}
