import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Id } from '../ui/controls/copy.tsx';
import { Time } from '../ui/data/time.tsx';
import { Dialog, DialogBody, DialogFoot } from '../ui/overlays/dialog.tsx';
import { Fact, Facts } from '../ui/page/page.tsx';
import { Note } from '../ui/page/states.tsx';
import { AttemptView } from './attempt-view.tsx';
import { indentJson } from '../format/pretty-json.ts';
import { ScrollBox } from '../ui/data/scroll-box.tsx';
import { DeliveryState } from './delivery-state.tsx';
import type { Delivery, ReadRequest } from './webhook.ts';
import styles from './webhooks.module.css';

interface Props {
  readonly delivery: Delivery;
  /** True if the webhook is disabled, so that nothing can be sent again. */
  readonly isDisabled: boolean;
  /** True if the delivery was sent again and its result is not known yet. */
  readonly isAwaited: boolean;
  readonly readRequest: ReadRequest;
  /** Sends the delivery again. Omitted for users who may not make changes. */
  readonly sendAgain?: (id: string) => Promise<void>;
  /** Further content, such as the equivalent command. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows one delivery: the attempts with their responses, and a button that sends the event again. */
export function DeliveryDialog(props: Props) {
  const { delivery, isDisabled, isAwaited, readRequest, sendAgain, children, onClose } = props;
  const { id, eventId, type, dueAt, createdAt, attempts } = delivery;
  const sending = useMutation({
    mutationFn: async () => sendAgain?.(id),
  });
  const isSending = sending.isPending || isAwaited;
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
        <Sent id={id} readRequest={readRequest} />
        {children}
        {sending.error !== null && (
          <Note tone="failed">
            <span role="alert">{sending.error.message}</span>
          </Note>
        )}
        {sendAgain !== undefined && isDisabled && <p>To send it again, enable the webhook first.</p>}
      </DialogBody>
      <DialogFoot>
        {sendAgain !== undefined && (
          <Button icon={RotateCw} disabled={isDisabled || isSending} onClick={() => sending.mutate()}>
            {isSending ? 'Sending…' : 'Send again'}
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** Shows the request that every attempt sends: its headers and body. */
function Sent({ id, readRequest }: { readonly id: string; readonly readRequest: ReadRequest }) {
  const sent = useQuery({
    queryKey: ['webhooks', 'sent', id],
    queryFn: ({ signal }) => readRequest(id, signal),
    staleTime: Infinity,
  });
  if (sent.data === undefined) return sent.isError && <p>Could not load what was sent.</p>;
  const headers = Object.entries(sent.data.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <article className={styles.attempt} aria-label="Request">
      <strong>Request</strong>
      <ScrollBox label="Headers and body" className={styles.answer}>
        {[...headers, '', indentJson(sent.data.body)].join('\n')}
      </ScrollBox>
      <p className={styles.detail}>
        Each attempt also has <code>webhook-timestamp</code> and <code>webhook-signature</code>.
      </p>
    </article>
  );
}
