import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, Hourglass, Inbox, UserPlus, Waypoints, Webhook } from 'lucide-react';
import { plural } from '../../../shared/format/number.ts';
import { useNow } from '../../../shared/ui/data/time.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { operationTotalsQuery } from '../../api/history/history.ts';
import { useAttention, useExpiringKeys } from '../../api/events/attention.ts';
import type { Period } from '../../../shared/traffic/period.ts';
import type { UsageSeries } from '../../../shared/traffic/usage-history.ts';
import styles from './needs-attention.module.css';

/** What waits for an operator, each with the screen that shows it; nothing where nothing does. */
export function NeedsAttention({ period }: { readonly period: Period }) {
  const { bans, planRequests, accountRequests, failingWebhooks, disabledWebhooks } = useAttention();
  const expiring = useExpiringKeys(useNow());
  const failing = (useQuery(operationTotalsQuery(period)).data?.series ?? []).filter(mostlyFails).length;
  if (failing + bans + planRequests + accountRequests + failingWebhooks + disabledWebhooks + expiring === 0)
    return null;
  return (
    <Section title="Needs attention">
      <ul className={styles.list}>
        {failing > 0 && (
          <li>
            <Waypoints size={16} aria-hidden className={styles.failing} />
            <Link to="/operations" search={(all) => ({ ...all, sort: '-clientErrors' })}>
              {plural(failing, 'operation')} mostly with 4xx or errors
            </Link>
          </li>
        )}
        {failingWebhooks > 0 && (
          <li>
            <Webhook size={16} aria-hidden className={styles.failing} />
            <Link to="/webhooks" search={{ state: 'failing' }}>
              {plural(failingWebhooks, 'webhook')} failing
            </Link>
          </li>
        )}
        {disabledWebhooks > 0 && (
          <li>
            <Webhook size={16} aria-hidden className={styles.failing} />
            <Link to="/webhooks" search={{ status: 'disabled' }}>
              {plural(disabledWebhooks, 'webhook')} disabled after failures
            </Link>
          </li>
        )}
        {accountRequests > 0 && (
          <li>
            <UserPlus size={16} aria-hidden />
            <Link to="/portal">{plural(accountRequests, 'account request')} waiting</Link>
          </li>
        )}
        {planRequests > 0 && (
          <li>
            <Inbox size={16} aria-hidden />
            <Link to="/portal">{plural(planRequests, 'plan request')} waiting</Link>
          </li>
        )}
        {bans > 0 && (
          <li>
            <Ban size={16} aria-hidden />
            <Link to="/bans" search={{ status: 'active' }}>
              {plural(bans, 'key')} banned
            </Link>
          </li>
        )}
        {expiring > 0 && (
          <li>
            <Hourglass size={16} aria-hidden />
            <Link to="/events" search={{ type: 'key.expiring' }}>
              {plural(expiring, 'key')} about to expire
            </Link>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Fewer requests say little. */
const ENOUGH_REQUESTS = 20;

function mostlyFails({ group, totals: { requests, clientErrors, errors } }: UsageSeries): boolean {
  return group !== null && requests >= ENOUGH_REQUESTS && (clientErrors + errors) * 2 > requests;
}
