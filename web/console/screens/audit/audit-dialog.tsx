import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../shared/ui/overlays/dialog.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type AuditFilters, auditQuery } from '../../api/audit.ts';
import { differences, shownValue } from '../../parts/audit/audit-diff.ts';
import { AuditActor, AuditSubject, BulkLink } from '../../parts/audit/audit-subject.tsx';
import parts from '../../parts/parts.module.css';

/** Pages that are read to find an entry. */
const MAX_PAGES = 10;

/** One change, with every field that it changed. */
export function AuditDialog({
  filters,
  sequence,
  onClose,
}: {
  readonly filters: AuditFilters;
  readonly sequence: string;
  readonly onClose: () => void;
}) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(auditQuery(filters));
  const entry = data?.pages.flatMap(({ items }) => items).find((one) => String(one.sequence) === sequence);
  const isLooking = entry === undefined && (data === undefined || (hasNextPage && data.pages.length < MAX_PAGES));
  useEffect(() => {
    if (isLooking && data !== undefined && !isFetchingNextPage) void fetchNextPage();
  }, [isLooking, data, isFetchingNextPage, fetchNextPage]);
  return (
    <Dialog title={entry?.action ?? `Change ${sequence}`} open onClose={onClose} wide>
      <DialogBody>
        {entry === undefined && (isLooking ? <Loading rows={3} /> : <p>This change is not among those listed.</p>)}
        {entry !== undefined && (
          <>
            <Facts>
              <Fact name="By">
                <AuditActor entry={entry} />
              </Fact>
              <Fact name="Subject">
                <AuditSubject entry={entry} />{' '}
                {entry.subject.includes('_') && <code className={parts.detail}>{entry.subject}</code>}
              </Fact>
              <Fact name="Time">
                <Time at={entry.at} />
              </Fact>
              <Fact name="Reason">
                <bdi>{entry.reason ?? 'none given'}</bdi>
              </Fact>
              {entry.bulkId !== null && (
                <Fact name="Part of">
                  <BulkLink id={entry.bulkId} />
                </Fact>
              )}
            </Facts>
            <div className={parts.diff}>
              {differences(entry.before, entry.after).map(({ field, before, after }) => (
                <div key={field}>
                  <span className={parts.field}>{field}</span>
                  {before !== undefined && (
                    <del className={parts.before}>
                      <bdi>{shownValue(before)}</bdi>
                    </del>
                  )}
                  {after !== undefined && (
                    <ins className={parts.after}>
                      <bdi>{shownValue(after)}</bdi>
                    </ins>
                  )}
                </div>
              ))}
            </div>
          </>
        )}
      </DialogBody>
      <DialogFoot>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
