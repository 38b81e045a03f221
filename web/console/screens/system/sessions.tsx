import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleUser, Users } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { EndSessionDialog } from '../../actions/lazy-dialogs.ts';
import { type SessionRow, sessionsQuery } from '../../api/sessions.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';
import { findBrowserName } from '../../../shared/format/browser-name.ts';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

const METHODS = { token: 'a token', link: 'a link', oidc: 'single sign-on' };

const columns: readonly Column<SessionRow>[] = [
  { id: 'who', header: 'Name', cell: (session) => <Who session={session} /> },
  { id: 'role', header: 'Role', width: '90px', hideBelow: 'narrow', cell: ({ role }) => role },
  { id: 'with', header: 'Signed in with', width: '150px', hideBelow: 'wide', cell: ({ method }) => METHODS[method] },
  { id: 'from', header: 'From', hideBelow: 'medium', width: '20%', cell: (session) => <From session={session} /> },
  {
    id: 'seen',
    header: 'Last seen',
    width: '130px',
    hideBelow: 'narrow',
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
  { id: 'ends', header: 'Ends', width: '120px', hideBelow: 'wide', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
];

export function Sessions() {
  const list = useInfiniteQuery(sessionsQuery);
  const { canChange } = useSession();
  const [ending, setEnding] = useState<SessionRow | null>(null);
  const more = useNextPage(list);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the sessions" /> : <Loading rows={3} />;
  const sessions = list.data.pages.flatMap(({ items }) => items);
  if (sessions.length === 0) {
    return (
      <Empty icon={Users} title="No sessions">
        Requests that use an admin token do not need a session.
      </Empty>
    );
  }
  const endColumn: Column<SessionRow> = {
    id: 'end',
    header: 'Action',
    width: '96px',
    cell: (session) => (
      <Button aria-label={`End the session of ${session.name}`} onClick={() => setEnding(session)}>
        End…
      </Button>
    ),
  };
  return (
    <>
      <DataTable
        caption="Sessions, newest first"
        columns={canChange ? [...columns, endColumn] : columns}
        rows={sessions}
        rowId={({ id }) => id}
        onEnd={more}
      />
      {ending !== null && <EndSessionDialog session={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

function Who({ session: { name, current } }: { readonly session: SessionRow }) {
  return (
    <span className={parts.beside}>
      <bdi>{name}</bdi>
      {current && (
        <Badge tone="accent" icon={CircleUser}>
          this browser
        </Badge>
      )}
    </span>
  );
}

function From({ session: { address, userAgent } }: { readonly session: SessionRow }) {
  return (
    <span title={userAgent}>
      <bdi>{address}</bdi>
      <span className={parts.detail}>
        {' '}
        <bdi>{findBrowserName(userAgent)}</bdi>
      </span>
    </span>
  );
}
