import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { SESSION_KEY } from '../../../shared/transport/query-client.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { MAX_NAME_LENGTH, renameAccount } from '../../api/session.ts';
import parts from '../../parts/parts.module.css';
import { useSession, useSite } from '../../session/session-context.ts';
import styles from './account.module.css';

/** Asks a new user for a name, because their identity provider may know only the email address. */
export function WelcomeScreen() {
  const { account } = useSession();
  const { title } = useSite();
  if (account === null) return <Navigate to="/overview" replace />;
  return (
    <Page
      title="Welcome"
      heading={
        <>
          Welcome to <bdi>{title}</bdi>
        </>
      }
      summary={<p>Your account is ready. Give it a name, then create a key.</p>}
    >
      <NameForm name={account.name} />
    </Page>
  );
}

function NameForm({ name }: { readonly name: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [text, setText] = useState(name);
  const chosen = text.trim();
  const saving = useMutation({
    mutationFn: async () => (chosen === name ? undefined : renameAccount(chosen)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: SESSION_KEY });
      await navigate({ to: '/overview', replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={`${parts.card} ${styles.name}`} onSubmit={submit}>
      <TextField
        label="Name"
        hint="Your name, or the name of your company or project. The team behind this API sees it, and you can change it later."
        required
        maxLength={MAX_NAME_LENGTH}
        value={text}
        error={saving.error?.message}
        onChange={setText}
      />
      <div>
        <Button kind="primary" type="submit" disabled={chosen === '' || saving.isPending}>
          {saving.isPending ? 'Saving…' : 'Continue'}
        </Button>
      </div>
    </form>
  );
}
