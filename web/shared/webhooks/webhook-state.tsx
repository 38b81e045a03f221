import { CircleCheck, CircleOff, TriangleAlert } from 'lucide-react';
import { findStateWord } from '../format/state-words.ts';
import { formatShortDuration, formatExactTime } from '../format/time.ts';
import { Badge } from '../ui/data/badge.tsx';
import { Time, useNow } from '../ui/data/time.tsx';
import { type Attempt, type Delivery, hasArrived, type Webhook } from './webhook.ts';
import styles from './webhooks.module.css';

const DISABLED_REASONS = {
  manual: 'manually',
  gone: 'its endpoint responded with 410',
  failing: 'every attempt failed for 5 days',
};

type State = Pick<Webhook, 'status' | 'disabledReason' | 'failingSince'>;

/** The result of the latest delivery to a webhook. `none` means that nothing was sent yet. */
export type LatestDelivery = 'none' | 'arrived' | 'failed' | 'waiting';

/** Finds the last attempt, with the type of its event. It may be of an older delivery, which was sent again. */
export function findLastAttempt(
  deliveries: readonly Delivery[],
): { readonly type: string; readonly attempt: Attempt } | undefined {
  return deliveries
    .flatMap(({ type, attempts }) => attempts.map((attempt) => ({ type, attempt })))
    .toSorted((one, other) => Date.parse(other.attempt.at) - Date.parse(one.attempt.at))[0];
}

/** Finds the result of the last attempt. */
export function findLatestDelivery(deliveries: readonly Delivery[]): LatestDelivery {
  const last = findLastAttempt(deliveries);
  if (last !== undefined) return hasArrived(last.attempt) ? 'arrived' : 'failed';
  return deliveries.length === 0 ? 'none' : 'waiting';
}

/** A badge that says whether deliveries to a webhook arrive. If they do not, `withReason` adds since when or why. */
export function WebhookState({
  webhook: { status, disabledReason, failingSince },
  latest,
  withReason = false,
}: {
  readonly webhook: State;
  /** Undefined where it is not known, as in a list of webhooks. */
  readonly latest?: LatestDelivery;
  readonly withReason?: boolean;
}) {
  if (status === 'disabled') {
    return (
      <span className={styles.state}>
        <Badge tone={disabledReason === 'manual' ? 'neutral' : 'failed'} icon={CircleOff}>
          {findStateWord('disabled')}
        </Badge>
        {withReason && disabledReason !== null && (
          <span className={styles.detail}>{DISABLED_REASONS[disabledReason]}</span>
        )}
      </span>
    );
  }
  if (failingSince !== null) {
    return (
      <span className={styles.state}>
        <Badge tone="failed" icon={TriangleAlert}>
          {findStateWord('failing')}
        </Badge>
        {withReason && (
          <span className={styles.detail}>
            <FailingFor since={failingSince} />
          </span>
        )}
      </span>
    );
  }
  if (latest === 'failed') {
    return (
      <Badge tone="refused" icon={TriangleAlert}>
        Last attempt failed
      </Badge>
    );
  }
  return (
    <Badge tone="usual" icon={CircleCheck}>
      {latest === 'arrived' ? 'Working' : findStateWord('enabled')}
    </Badge>
  );
}

function FailingFor({ since }: { readonly since: string }) {
  const now = useNow();
  const sinceMs = Date.parse(since);
  return (
    <time dateTime={since} title={formatExactTime(sinceMs)}>
      for {formatShortDuration(now - sinceMs)}
    </time>
  );
}

/** Says in sentences whether events reach the webhook, and what to do if they do not. */
export function WebhookSummary({ webhook, latest }: { readonly webhook: Webhook; readonly latest?: LatestDelivery }) {
  const { status, disabledReason, disabledAt, failingSince } = webhook;
  if (status === 'disabled') return <Disabled reason={disabledReason ?? 'manual'} at={disabledAt} />;
  if (failingSince !== null) {
    return (
      <p>
        Every attempt has failed <FailingFor since={failingSince} />. Failed deliveries are retried for 3 days. After 5
        days without a success, the webhook is disabled. The responses are below.
      </p>
    );
  }
  if (latest === 'none') return <p>No events sent yet. Send a test event to check that it works.</p>;
  if (latest === 'failed') return <p>The last attempt failed. The response is below.</p>;
  return latest === 'arrived' && <p>The last delivery succeeded.</p>;
}

function Disabled({ reason, at }: { readonly reason: keyof typeof DISABLED_REASONS; readonly at: string | null }) {
  const when = at !== null && <Time at={at} />;
  if (reason === 'manual') {
    return <p>It was disabled {when}. Until it is enabled, it receives no events, and none are stored for it.</p>;
  }
  return (
    <p>
      It was disabled {when}, because{' '}
      {reason === 'gone' ? 'its endpoint responded with 410 (gone)' : DISABLED_REASONS.failing}. Fix the endpoint, send
      a test event, then enable it.
    </p>
  );
}
