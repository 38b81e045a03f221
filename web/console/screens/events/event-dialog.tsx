import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { CopyButton, Id } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../shared/ui/overlays/dialog.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import type { Event } from '../../api/events/events.ts';
import { OwnerByName } from '../../parts/owner-link.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { EventSummary } from './event-summary.tsx';
import styles from './events-screen.module.css';
import { SubjectLink } from './subject-link.tsx';

/** Shows the content of an event and its deliveries. */
export function EventDialog({ event, onClose }: { readonly event: Event; readonly onClose: () => void }) {
  const { id, type, subject, owner, source, at, data } = event;
  const text = JSON.stringify(data, null, 2);
  return (
    <Dialog title={type} open onClose={onClose} wide>
      <DialogBody>
        <p>
          <EventSummary event={event} />
        </p>
        <Facts>
          <Fact name="Time">
            <Time at={at} />
          </Fact>
          {subject !== null && (
            <Fact name="Subject">
              <SubjectLink event={event} />
            </Fact>
          )}
          <Fact name="Owner">{owner === null ? 'none' : <OwnerByName owner={owner} />}</Fact>
          {source !== 'gateway' && (
            <Fact name="Source">
              <bdi>{source}</bdi>
            </Fact>
          )}
          <Fact name="Id">
            <Id id={id} />
          </Fact>
        </Facts>
        <ScrollBox label="Data" className={styles.data}>
          {text}
        </ScrollBox>
        <EventDeliveries id={id} />
      </DialogBody>
      <DialogFoot>
        {subject !== null && (
          <Link to="/events" search={{ subject }} className={buttonClass('plain')}>
            All events for this subject
          </Link>
        )}
        <CopyButton text={text} />
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
