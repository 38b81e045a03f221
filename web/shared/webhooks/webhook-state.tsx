import { CircleCheck, CircleOff, TriangleAlert } from 'lucide-react';
import { duration, exactTime } from '../format/time.ts';
import { Badge } from '../ui/data/badge.tsx';
import { Time, useNow } from '../ui/data/time.tsx';
import type { Webhook } from './webhook.ts';
import styles from './webhooks.module.css';

const REASONS = {
  manual: 'by hand',
  gone: 'its service answered 410',
  failing: 'every attempt failed for 5 days',
};

type State = Pick<Webhook, 'status' | 'disabledReason' | 'failingSince'>;

/** Whether what is sent to a webhook arrives; `withReason`: and if not, since when or why. */
export function WebhookState({
  webhook: { status, disabledReason, failingSince },
  withReason = false,
}: {
  readonly webhook: State;
  readonly withReason?: boolean;
}) {
  if (status === 'disabled') {
    return (
      <span className={styles.state}>
        <Badge tone={disabledReason === 'manual' ? 'neutral' : 'failed'} icon={CircleOff}>
          Disabled
        </Badge>
        {withReason && disabledReason !== null && <span className={styles.detail}>{REASONS[disabledReason]}</span>}
      </span>
    );
  }
  if (failingSince !== null) {
    return (
      <span className={styles.state}>
        <Badge tone="refused" icon={TriangleAlert}>
          Failing
        </Badge>
        {withReason && (
          <span className={styles.detail}>
            <FailingFor since={failingSince} />
          </span>
        )}
      </span>
    );
  }
  return (
    <Badge tone="served" icon={CircleCheck}>
      Works
    </Badge>
  );
}

function FailingFor({ since }: { readonly since: string }) {
  const now = useNow();
  const sinceMs = Date.parse(since);
  return (
    <time dateTime={since} title={exactTime(sinceMs)}>
      for {duration(now - sinceMs)}
    </time>
  );
}

/** Does it work, and if not, what to do? `sentAny`: whether anything was ever sent to it; undefined: not known yet. */
export function WebhookAnswer({ webhook, sentAny }: { readonly webhook: Webhook; readonly sentAny?: boolean }) {
  const { status, disabledReason, disabledAt, failingSince } = webhook;
  if (status === 'disabled') return <Disabled reason={disabledReason ?? 'manual'} at={disabledAt} />;
  if (failingSince !== null) {
    return (
      <p>
        Every attempt has failed <FailingFor since={failingSince} />. What failed is tried again for 3 days; after 5
        days without a success, the webhook is disabled. See below what came back.
      </p>
    );
  }
  if (sentAny === false) return <p>Nothing was sent to it yet. Send a test event to see whether it arrives.</p>;
  return sentAny === true && <p>What is sent to it arrives.</p>;
}

function Disabled({ reason, at }: { readonly reason: keyof typeof REASONS; readonly at: string | null }) {
  const when = at !== null && <Time at={at} />;
  if (reason === 'manual') {
    return <p>It was disabled {when}. Nothing is sent, and no event is noted for it, until it is enabled.</p>;
  }
  return (
    <p>
      It was disabled {when}, because {reason === 'gone' ? 'its service answered 410 (gone)' : REASONS.failing}. Mend
      the endpoint, send a test event, then enable it.
    </p>
  );
}
