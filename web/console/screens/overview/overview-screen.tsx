import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { formatCount, pluralize, formatShare } from '../../../shared/format/number.ts';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty } from '../../../shared/ui/page/states.tsx';
import { activeBansQuery } from '../../api/bans.ts';
import { historyQuery } from '../../api/history/history.ts';
import { type Period, readPeriod } from '../../../shared/traffic/period.ts';
import { KeyName } from '../../parts/keys/key-name.tsx';
import { Outcomes } from '../../parts/outcomes.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';
import { Traffic } from '../../parts/traffic.tsx';
import { Health } from '../../parts/health.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { ComponentTroubles } from '../../parts/component-troubles.tsx';

const AuditTable = lazyPart(async () => (await import('../../parts/audit/audit-table.tsx')).AuditTable);
const DeprecatedCalls = lazyPart(async () => (await import('./deprecated-calls.tsx')).DeprecatedCalls);
const BanList = lazyPart(async () => (await import('../../parts/keys/ban-list.tsx')).BanList);

export function OverviewScreen() {
  const period = readPeriod(useSearch({ from: '/overview' }));
  // The parts below are loaded after the charts, because the charts show whether all is well.
  const isLoaded = !useQuery(historyQuery(period)).isPending;
  const nothing = (
    <Empty icon={Activity} title="No requests yet">
      Requests made with a key appear here.
    </Empty>
  );
  return (
    <Page title="Overview" summary={<TrafficSummary period={period} />} actions={<Health />}>
      <ComponentTroubles />
      <NeedsAttention />
      <Traffic period={period} />
      <div className={parts.columns}>
        <div className={parts.stack}>
          <Section title="Busiest keys" aside={<Link to="/keys">All keys</Link>}>
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
          {isLoaded && <ActiveBans />}
          {isLoaded && <DeprecatedCalls period={period} />}
        </div>
        <div className={parts.stack}>
          <Section title="Outcomes">
            <Outcomes period={period} caption="Outcomes of requests" empty={nothing} />
          </Section>
          {isLoaded && (
            <Section title="Recent changes" aside={<Link to="/audit">All changes</Link>}>
              <AuditTable filters={{}} short />
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}

function ActiveBans() {
  const bans = useQuery(activeBansQuery);
  if (!bans.isError && (bans.data?.count ?? 0) === 0) return null;
  return (
    <Section title="Active bans" aside={<Link to="/bans">All bans</Link>}>
      <BanList filters={{ status: 'active' }} short />
    </Section>
  );
}

/**
 * Summarizes the traffic in one sentence. Errors of services come first, because most refusals are caused by the
 * callers.
 */
function TrafficSummary({ period }: { readonly period: Period }) {
  const history = useQuery(historyQuery(period)).data;
  const totals = history?.series[0]?.totals;
  // An empty paragraph keeps the place of the sentence while the history is loading.
  if (history === undefined || totals === undefined) return <p>&nbsp;</p>;
  const { words } = history.period;
  if (totals.requests === 0) return <p>No requests {words}.</p>;
  const { requests, errors, clientErrors, refused } = totals;
  return (
    <p>
      {pluralize(requests, 'request')} {words}:{' '}
      <strong>{errors === 0 ? 'no errors' : `${pluralize(errors, 'error')} (${formatShare(errors, requests)})`}</strong>
      {clientErrors > 0 && `, ${formatCount(clientErrors)} 4xx from services`}
      {refused > 0 && `, ${formatCount(refused)} refused`}.
    </p>
  );
}
