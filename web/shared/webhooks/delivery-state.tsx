import { CircleCheck, CircleSlash, Hourglass, RotateCw, TriangleAlert } from 'lucide-react';
import { findStateWord } from '../format/state-words.ts';
import { Badge } from '../ui/data/badge.tsx';
import { useNow } from '../ui/data/time.tsx';
import { type Attempt, type Delivery, hasArrived } from './webhook.ts';

/** A badge with the status of a delivery. While an attempt is due, it says "Sending". */
export function DeliveryState({ delivery: { status, attempts, dueAt } }: { readonly delivery: Delivery }) {
  const now = useNow();
  if (status === 'delivered') {
    return (
      <Badge tone="usual" icon={CircleCheck}>
        {findStateWord('delivered')}
      </Badge>
    );
  }
  if (status === 'failed') {
    return (
      <Badge tone="failed" icon={CircleSlash}>
        {findStateWord('failed')}
      </Badge>
    );
  }
  if (dueAt !== null && Date.parse(dueAt) <= now) {
    return (
      <Badge tone="neutral" icon={RotateCw}>
        Sending
      </Badge>
    );
  }
  return attempts.length === 0 ? (
    <Badge tone="neutral" icon={Hourglass}>
      Waiting
    </Badge>
  ) : (
    <Badge tone="refused" icon={RotateCw}>
      Retrying
    </Badge>
  );
}

/** A badge with the status of an attempt's response, or a note that there was none. */
export function AttemptState({ attempt }: { readonly attempt: Attempt }) {
  const { status } = attempt;
  if (hasArrived(attempt)) {
    return (
      <Badge tone="usual" icon={CircleCheck}>
        {status}
      </Badge>
    );
  }
  return (
    <Badge tone="failed" icon={status === null ? CircleSlash : TriangleAlert}>
      {status ?? 'No response'}
    </Badge>
  );
}
