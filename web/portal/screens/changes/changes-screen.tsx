import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { pluralize } from '../../../shared/format/number.ts';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { changesQuery } from '../../api/changes.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { ChangeCard } from './change-card.tsx';

/** Lists the operations that the user calls and that will be removed, and what replaces them. */
export function ChangesScreen() {
  const changes = useQuery(changesQuery);
  const found = changes.data ?? [];
  return (
    <Page
      title="Upcoming changes"
      summary={
        changes.data !== undefined && (
          <p>
            {found.length === 0
              ? 'You do not call any deprecated operations.'
              : `You call ${pluralize(found.length, 'operation')} that will be removed. Switch to ${found.length === 1 ? 'its replacement' : 'their replacements'} in time.`}
          </p>
        )
      }
    >
      {changes.isPending && <Loading label="Loading upcoming changes" />}
      {changes.isError && changes.data === undefined && <ReadFailure query={changes} what="the upcoming changes" />}
      {changes.data !== undefined && found.length === 0 && (
        <Empty icon={CircleCheck} title="Nothing to do">
          Deprecated operations that your keys call are listed here, with the date of their removal. Their responses
          also announce the removal, in the headers <code>Deprecation</code> and <code>Sunset</code>.
        </Empty>
      )}
      {found.map((change) => (
        <ChangeCard key={change.operation} change={change} />
      ))}
    </Page>
  );
}
