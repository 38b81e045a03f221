import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleUser } from 'lucide-react';
import { useKeptFocus } from '../../../shared/behavior/keep-focus.ts';
import { findBrowserName } from '../../../shared/format/browser-name.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { endSession, type SessionRow } from '../../api/session.ts';

const METHODS = { link: 'a link', key: 'a key', oidc: 'single sign-on' };

const columns: readonly Column<SessionRow>[] = [
  {
    id: 'browser',
    header: 'Browser',
    cell: ({ userAgent }) => <bdi title={userAgent}>{findBrowserName(userAgent)}</bdi>,
  },
  { id: 'from', header: 'From', hideBelow: 'medium', cell: ({ address }) => <bdi>{address}</bdi> },
  { id: 'with', header: 'Signed in with', hideBelow: 'medium', cell: ({ method }) => METHODS[method] },
  { id: 'seen', header: 'Last seen', hideBelow: 'narrow', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { id: 'end', header: 'Action', width: '148px', cell: (session) => <End session={session} /> },
];

export function Sessions({ sessions }: { readonly sessions: readonly SessionRow[] }) {
  return <DataTable caption="Your sessions, newest first" columns={columns} rows={sessions} rowId={({ id }) => id} />;
}

function End({ session: { id, current, userAgent } }: { readonly session: SessionRow }) {
  const queries = useQueryClient();
  useKeptFocus();
  const ending = useMutation({
    mutationFn: () => endSession(id),
    onError: (error) => toast({ tone: 'failed', message: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  if (current) {
    return (
      <Badge tone="accent" icon={CircleUser}>
        this browser
      </Badge>
    );
  }
  return (
    <Button
      aria-label={`Sign out ${findBrowserName(userAgent)}`}
      disabled={ending.isPending}
      onClick={() => ending.mutate()}
    >
      Sign out
    </Button>
  );
}
