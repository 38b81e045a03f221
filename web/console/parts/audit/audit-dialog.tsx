import { useInfiniteQuery } from '@tanstack/react-query';
import { formatExactTime } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../shared/ui/overlays/dialog.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type AuditEntry, auditQuery } from '../../api/audit.ts';
import { findDifferences, formatValue } from './audit-diff.ts';
import { AuditActor, AuditSubject, BulkLink } from './audit-subject.tsx';
import { nameField, findActionWords } from './audit-words.ts';
import parts from '../parts.module.css';

/** Shows one change, with every field that it changed. */
export function AuditDialog({ sequence, onClose }: { readonly sequence: string; readonly onClose: () => void }) {
  const isNumber = /^\d+$/.test(sequence);
  const { data, isLoading, error } = useInfiniteQuery({
    ...auditQuery({ sequence: Number(sequence) }, 1),
    enabled: isNumber,
  });
  const entry = data?.pages[0]?.items[0];
  const isUnknown = !isNumber || (data !== undefined && entry === undefined);
  return (
    <Dialog title={entry === undefined ? `Change ${sequence}` : formatTitle(entry)} open onClose={onClose} wide>
      <DialogBody>
        {isLoading && <Loading rows={3} />}
        {error !== null && <p>{error.message}</p>}
        {isUnknown && <p>There is no such change in the audit log.</p>}
        {entry !== undefined && (
          <>
            <Facts>
              <Fact name="By">
                <AuditActor entry={entry} />
              </Fact>
              <Fact name="Action">
                <code>{entry.action}</code>
              </Fact>
              <Fact name="Subject">
                <AuditSubject entry={entry} />{' '}
                {entry.subject.includes('_') && <code className={parts.detail}>{entry.subject}</code>}
              </Fact>
              <Fact name="Time">
                <Time at={entry.at} />
                <div className={parts.detail}>{formatExactTime(Date.parse(entry.at))}</div>
              </Fact>
              <Fact name="Reason">
                <bdi>{entry.reason ?? 'none given'}</bdi>
              </Fact>
              {entry.message !== null && (
                <Fact name="Message to the customer">
                  <bdi>{entry.message}</bdi>
                </Fact>
              )}
              {entry.bulkId !== null && (
                <Fact name="Part of">
                  <BulkLink id={entry.bulkId} />
                </Fact>
              )}
            </Facts>
            <div className={parts.diff}>
              {findDifferences(entry.before, entry.after).map(({ field, before, after }) => (
                <div key={field}>
                  <span className={parts.field}>{nameField(field)}</span>
                  {before !== undefined && (
                    <del className={parts.before}>
                      <bdi>{formatValue(before)}</bdi>
                    </del>
                  )}
                  {after !== undefined && (
                    <ins className={parts.after}>
                      <bdi>{formatValue(after)}</bdi>
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

/** For example "Created key". */
function formatTitle(entry: AuditEntry): string {
  const words = findActionWords(entry).join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
