import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { formatCount } from '../../../shared/format/number.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { Traffic } from '../../../shared/traffic/traffic.tsx';
import { OwnCountsOnly } from '../../../shared/ui/data/window-card.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type Key, keysQuery } from '../../api/keys.ts';
import { historyQuery, type QuotaUsage, usageQuery } from '../../api/usage.ts';
import { BanNote } from '../../parts/ban-note.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { KeyNames, findAffectedKeys, PlanAndKeys, type SomeKeys } from '../../parts/quota-name.tsx';
import { QuotaTable } from '../../parts/quota-table.tsx';
import { sortFullestFirst } from '../../parts/quotas.ts';
import { RevokedNotes } from '../../parts/revoked-notes.tsx';
import { referenceQuery } from '../../parts/reference-query.ts';
import { Windows } from '../../parts/windows.tsx';
import { operationsOf } from '../../reference/model/reference.ts';
import { useSession } from '../../session/session-context.ts';
import { ChangesAhead } from './changes-ahead.tsx';
import { usePrevious } from '../../parts/use-previous.ts';
import { FirstSteps } from './first-steps.tsx';
import { LatestRefusals } from './latest-refusals.tsx';
import { GuideLink } from '../../markdown/guide-link.tsx';
import { PlanDecision } from './plan-answer.tsx';

/** Shows whether the user can call the API, and whether that will stay so. */
export function OverviewScreen() {
  const { name } = useSession();
  const period = readPeriod(useSearch({ from: '/overview' }));
  const history = useQuery(historyQuery(period));
  const previous = usePrevious(history);
  const usage = useQuery(usageQuery);
  const keys = useQuery(keysQuery);
  const reference = useQuery(referenceQuery).data;
  const costsMore = reference !== undefined && operationsOf(reference).some(({ cost }) => cost > 1);
  return (
    <Page
      title="Overview"
      heading={<bdi>{name}</bdi>}
      summary={<UsageSummary quotas={usage.data} keys={keys.data?.items} />}
    >
      {usage.data?.map(
        (quota) =>
          quota.ban !== null && (
            <BanNote
              key={quota.quotaId}
              ban={quota.ban}
              keys={findAffectedKeys([quota], usage.data, keys.data?.items)}
            />
          ),
      )}
      <RevokedNotes keys={keys.data?.items ?? []} />
      {keys.data !== undefined && usage.data !== undefined && <FirstSteps keys={keys.data.items} quotas={usage.data} />}
      <PlanDecision />
      <ChangesAhead />
      <Section title="Your limits" aside={<Freshness query={usage} />}>
        {usage.isPending && <Loading rows={2} label="Loading your usage" />}
        {usage.isError && usage.data === undefined && <ReadFailure query={usage} what="your usage" />}
        {usage.data !== undefined && <Limits quotas={usage.data} keys={keys.data?.items ?? []} />}
        <p className={parts.small}>
          Requests refused by a limit or a ban do not count.{costsMore && ' Some operations cost more than one unit.'}{' '}
          See <Link to="/usage">your usage</Link> and <GuideLink page="limits">how requests are counted</GuideLink>.
        </p>
      </Section>
      <Traffic
        history={history}
        previous={previous}
        period={period}
        failure={<ReadFailure query={history} what="your traffic" />}
      />
      <LatestRefusals />
    </Page>
  );
}

/** Shows a card for each window if there is only one quota. Otherwise, it shows a row for each quota. */
function Limits({ quotas, keys }: { readonly quotas: readonly QuotaUsage[]; readonly keys: readonly Key[] }) {
  const [only] = quotas;
  if (only !== undefined && quotas.length === 1) return <Windows usage={only} />;
  return (
    <>
      <QuotaTable quotas={quotas} keys={keys} />
      {quotas.some(({ degraded }) => degraded === true) && <OwnCountsOnly />}
    </>
  );
}

function BanSummary({ keys }: { readonly keys: SomeKeys }) {
  if (keys === 'all') return <p>You are banned: your calls are refused.</p>;
  return (
    <p>
      Calls with <KeyNames keys={keys} /> are refused: {keys.length === 1 ? 'it is' : 'they are'} banned.
    </p>
  );
}

interface UsageSummaryProps {
  readonly quotas: readonly QuotaUsage[] | undefined;
  readonly keys: readonly Key[] | undefined;
}

/** Says which keys are banned. If none are, it says what is left of the fullest quota. */
function UsageSummary({ quotas = [], keys }: UsageSummaryProps) {
  const banned = quotas.filter(({ ban }) => ban !== null);
  if (banned.length > 0) return <BanSummary keys={findAffectedKeys(banned, quotas, keys)} />;
  const [quota] = sortFullestFirst(quotas);
  if (quota === undefined) return <p>The state of your access to the API.</p>;
  const isOnly = quotas.length === 1;
  const left = (wanted: 'minute' | 'day' | 'month') => quota.windows.find(({ name }) => name === wanted)?.remaining;
  const perMonth = left('month');
  return (
    <p>
      You have <strong>{formatCount(left('minute') ?? 0)}</strong> requests left this minute
      {perMonth === undefined ? ' and' : ','} <strong>{formatCount(left('day') ?? 0)}</strong> today
      {perMonth !== undefined && (
        <>
          {' '}
          and <strong>{formatCount(perMonth)}</strong> this month
        </>
      )}
      , on the{' '}
      {isOnly ? (
        <>
          <Link to="/plans">{quota.planName}</Link> plan
        </>
      ) : (
        <PlanAndKeys quota={quota} keys={keys} />
      )}
      .
    </p>
  );
}
