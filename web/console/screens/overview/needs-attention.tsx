import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, Hourglass, Inbox, UserPlus, Waypoints, Webhook } from 'lucide-react';
import { EXPIRING_DAYS } from '../../../shared/format/durations.ts';
import { pluralize, formatShare } from '../../../shared/format/number.ts';
import { Section } from '../../../shared/ui/page/page.tsx';
import { operationTotalsQuery } from '../../api/history/history.ts';
import { useAttention } from '../../api/events/attention.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { operationsQuery } from '../../api/operations.ts';
import { EXPIRING_WITHIN } from '../../api/keys.ts';
import type { UsageSeries } from '../../../shared/traffic/usage-history.ts';
import styles from './needs-attention.module.css';

/**
 * The period for finding failing operations. It is fixed, because what needs attention does not depend on the period
 * that the user selected.
 */
const RECENT = readPeriod({ period: '24h' });

/** Lists what an operator should look at, with a link to each screen. The section stays if there is nothing to list. */
export function NeedsAttention() {
  const { isPending, ...waiting } = useAttention();
  const { bans, planRequests, accountRequests, failingWebhooks, disabledWebhooks, expiringKeys } = waiting;
  const totals = useQuery(operationTotalsQuery(RECENT));
  const failing = (totals.data?.series ?? []).filter(mostlyFails);
  const count = failing.length + Object.values(waiting).reduce((sum, each) => sum + each, 0);
  if (isPending || totals.isPending || count === 0) {
    return (
      <Section title="Needs attention">
        <p className={styles.none}>{isPending || totals.isPending ? 'Looking…' : 'Nothing at the moment.'}</p>
      </Section>
    );
  }
  return (
    <Section title="Needs attention">
      <ul className={styles.list}>
        {failing.length > 0 && (
          <li>
            <Waypoints size={16} aria-hidden className={styles.failing} />
            <Failing series={failing} />
          </li>
        )}
        {failingWebhooks > 0 && (
          <li>
            <Webhook size={16} aria-hidden className={styles.failing} />
            <Link to="/webhooks" search={{ state: 'failing' }}>
              {pluralize(failingWebhooks, 'webhook')} failing
            </Link>
          </li>
        )}
        {disabledWebhooks > 0 && (
          <li>
            <Webhook size={16} aria-hidden className={styles.failing} />
            <Link to="/webhooks" search={{ status: 'disabled' }}>
              {pluralize(disabledWebhooks, 'webhook')} disabled after failures
            </Link>
          </li>
        )}
        {accountRequests > 0 && (
          <li>
            <UserPlus size={16} aria-hidden />
            <Link to="/portal">{pluralize(accountRequests, 'account request')} waiting</Link>
          </li>
        )}
        {planRequests > 0 && (
          <li>
            <Inbox size={16} aria-hidden />
            <Link to="/portal">{pluralize(planRequests, 'plan request')} waiting</Link>
          </li>
        )}
        {bans > 0 && (
          <li>
            <Ban size={16} aria-hidden />
            <Link to="/bans" search={{ status: 'active' }}>
              {pluralize(bans, 'key')} banned
            </Link>
          </li>
        )}
        {expiringKeys > 0 && (
          <li>
            <Hourglass size={16} aria-hidden />
            <Link to="/keys" search={{ expiresWithin: EXPIRING_WITHIN, sort: 'expiresAt' }}>
              {pluralize(expiringKeys, 'key')} expiring in {EXPIRING_DAYS} days
            </Link>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Links to the operation that mostly fails. If there are several, it says how many and links to the list. */
function Failing({ series }: { readonly series: readonly UsageSeries[] }) {
  const operations = useQuery(operationsQuery).data;
  const [first] = series;
  if (series.length > 1 || first?.group == null) {
    return (
      <Link to="/operations" search={{ sort: '-clientErrors', period: RECENT.name }}>
        {pluralize(series.length, 'operation')} responded mostly with 4xx or errors {RECENT.words}
      </Link>
    );
  }
  const { requests, clientErrors, errors } = first.totals;
  const operation = operations?.find(({ id }) => id === first.group);
  return (
    <Link to="/operations/$id" params={{ id: first.group }} search={{ period: RECENT.name }}>
      {operation === undefined ? first.group : `${operation.method} ${operation.path}`}:{' '}
      {formatShare(clientErrors + errors, requests)}{' '}
      {errors === 0 ? '4xx' : clientErrors === 0 ? 'errors' : '4xx and errors'} {RECENT.words}
    </Link>
  );
}

/** The minimum number of requests. With fewer, the share of failures means little. */
const ENOUGH_REQUESTS = 20;

function mostlyFails({ group, totals: { requests, clientErrors, errors } }: UsageSeries): boolean {
  return group !== null && requests >= ENOUGH_REQUESTS && (clientErrors + errors) * 2 > requests;
}
