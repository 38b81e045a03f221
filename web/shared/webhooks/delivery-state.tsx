import { CircleCheck, CircleSlash, Hourglass, RotateCw, TriangleAlert } from 'lucide-react';
import { Badge } from '../ui/data/badge.tsx';
import { type Attempt, type Delivery, hasArrived } from './webhook.ts';

/** What became of an event for a webhook. */
export function DeliveryState({ delivery: { status, attempts } }: { readonly delivery: Delivery }) {
  if (status === 'delivered') {
    return (
      <Badge tone="served" icon={CircleCheck}>
        Delivered
      </Badge>
    );
  }
  if (status === 'failed') {
    return (
      <Badge tone="failed" icon={CircleSlash}>
        Given up
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

/** What came back: a status, or none. */
export function AttemptState({ attempt }: { readonly attempt: Attempt }) {
  const { status } = attempt;
  if (hasArrived(attempt)) {
    return (
      <Badge tone="served" icon={CircleCheck}>
        {status}
      </Badge>
    );
  }
  return (
    <Badge tone="failed" icon={status === null ? CircleSlash : TriangleAlert}>
      {status ?? 'No answer'}
    </Badge>
  );
}
