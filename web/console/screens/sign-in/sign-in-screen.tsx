import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { isStatus } from '../../api/error.ts';
import { SESSION_KEY, signIn } from '../../api/session.ts';
import { Logo } from '../../layout/logo.tsx';
import styles from './sign-in-screen.module.css';

/** Exchanges the admin token for a session. */
export function SignInScreen() {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => queries.setQueryData(SESSION_KEY, session),
  });
  useEffect(() => {
    document.title = 'Sign in · Tollgate';
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(token.trim());
  };
  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={submit}>
        <Logo />
        <div>
          <h1>Sign in</h1>
          <p className={styles.lead}>With a token of the admin API: yours, or the one that the gateway made.</p>
        </div>
        <TextField
          label="Token"
          type="password"
          required
          autoComplete="current-password"
          // The one field of the page: whoever comes here comes to fill it.
          autoFocus
          value={token}
          error={attempt.error === null ? undefined : refusal(attempt.error)}
          onChange={setToken}
        />
        <Button kind="primary" type="submit" disabled={attempt.isPending || token.trim() === ''}>
          {attempt.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        <p className={styles.hint}>
          The first start of a gateway writes one to <code>data/admin-token</code>; others stand in the configuration,
          under <code>adminTokens</code>.
        </p>
      </form>
    </main>
  );
}

function refusal(error: Error): string {
  if (isStatus(error, 401)) return 'No token of this gateway. Check that all of it was pasted.';
  return error.message;
}
