import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PenLine } from 'lucide-react';
import { SESSION_KEY } from '../../../shared/transport/query-client.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts, Page, Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { plansQuery } from '../../api/plans.ts';
import { MAX_NAME_LENGTH, renameAccount, sessionQuery, sessionsQuery } from '../../api/session.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useSession } from '../../session/session-context.ts';
import { Sessions } from './sessions.tsx';

/** Shows the signed-in account, and where the user is signed in. */
export function AccountScreen() {
  const { account } = useSession();
  // Reload the session, because the plan may have changed since the sign-in.
  useQuery({ ...sessionQuery, refetchOnMount: 'always' });
  const plans = useQuery(plansQuery);
  const sessions = useQuery({ ...sessionsQuery, enabled: account !== null });
  const [renaming, setRenaming] = useState(false);
  if (account === null) {
    return (
      <Page title="Your account">
        <p>You are signed in with a key. Sign in to your account to see it.</p>
      </Page>
    );
  }
  return (
    <Page
      title="Your account"
      heading={<bdi>{account.name}</bdi>}
      actions={
        <Button icon={PenLine} onClick={() => setRenaming(true)}>
          Rename…
        </Button>
      }
    >
      <Facts>
        <Fact name="Consumer id">
          <bdi>{account.owner}</bdi>
        </Fact>
        <Fact name="Email">{account.email === null ? 'none' : <bdi>{account.email}</bdi>}</Fact>
        <Fact name="Plan">{plans.data?.current.name ?? account.plan}</Fact>
        <Fact name="Created">
          <Time at={account.createdAt} />
        </Fact>
      </Facts>
      <Section title="Sessions">
        {sessions.isPending && <Loading rows={2} />}
        {sessions.isError && sessions.data === undefined && <ReadFailure query={sessions} what="your sessions" />}
        {sessions.data !== undefined && <Sessions sessions={sessions.data} />}
      </Section>
      {renaming && <RenameDialog name={account.name} onClose={() => setRenaming(false)} />}
    </Page>
  );
}

function RenameDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState(name);
  const done = () => {
    onClose();
    void queries.invalidateQueries({ queryKey: SESSION_KEY });
  };
  return (
    <FormDialog
      title="Rename the account"
      submit="Rename"
      ready={text.trim() !== ''}
      action={() => renameAccount(text.trim())}
      onDone={done}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={MAX_NAME_LENGTH} value={text} onChange={setText} />
    </FormDialog>
  );
}
