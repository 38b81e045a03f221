import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Id } from '../ui/controls/copy.tsx';
import { Time } from '../ui/data/time.tsx';
import { Dialog, DialogBody, DialogFoot } from '../ui/overlays/dialog.tsx';
import { toast } from '../ui/overlays/toast.tsx';
import { Fact, Facts } from '../ui/page/page.tsx';
import { Note } from '../ui/page/states.tsx';
import { AttemptView } from './attempt-view.tsx';
import { DeliveryState } from './delivery-state.tsx';
import type { Delivery } from './webhook.ts';

interface Props {
  readonly delivery: Delivery;
  /** What is sent again goes nowhere while the webhook is disabled. */
  readonly isDisabled: boolean;
  /** Left out for those who may change nothing. */
  readonly redeliver?: (id: string) => Promise<unknown>;
  /** The same from a terminal, and the like. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** One event for one webhook: every attempt with what came back, and sending it again. */
export function DeliveryDialog({ delivery, isDisabled, redeliver, children, onClose }: Props) {
  const { id, eventId, type, dueAt, createdAt, attempts } = delivery;
  const sending = useMutation({
    mutationFn: async () => redeliver?.(id),
    onSuccess: () => toast({ message: `Sending ${type} again` }),
  });
  return (
    <Dialog title={`Delivery of ${type}`} open onClose={onClose} wide>
      <DialogBody>
        <Facts>
          <Fact name="State">
            <DeliveryState delivery={delivery} />
          </Fact>
          <Fact name={dueAt === null ? 'Event' : 'Next attempt'}>
            <Time at={dueAt ?? createdAt} />
          </Fact>
          <Fact name="webhook-id">
            <Id id={eventId} />
          </Fact>
        </Facts>
        {attempts.toReversed().map((attempt) => (
          <AttemptView key={attempt.number} attempt={attempt} label={`Attempt ${attempt.number}`} />
        ))}
        {attempts.length === 0 && <p>Not sent yet.</p>}
        {children}
        {sending.error !== null && (
          <Note tone="failed">
            <span role="alert">{sending.error.message}</span>
          </Note>
        )}
        {redeliver !== undefined && isDisabled && <p>To send it again, enable the webhook first.</p>}
      </DialogBody>
      <DialogFoot>
        {redeliver !== undefined && (
          <Button icon={RotateCw} disabled={isDisabled || sending.isPending} onClick={() => sending.mutate()}>
            {sending.isPending ? 'Sending…' : 'Send again'}
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
