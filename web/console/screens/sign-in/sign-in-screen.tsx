import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { type FormEvent, useContext, useEffect, useState } from 'react';
import { Button, ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { createTable } from '../../../shared/format/table-of.ts';
import { Note } from '../../../shared/ui/page/states.tsx';
import { isStatus } from '../../../shared/transport/error.ts';
import { SESSION_KEY } from '../../../shared/transport/query-client.ts';
import { signIn, signInMethodsQuery } from '../../api/session.ts';
import { Logo } from '../../../shared/ui/page/logo.tsx';
import { ArrivalContext } from '../../session/session-context.ts';
import styles from '../../../shared/ui/page/card-page.module.css';

const REJECTED = 'Your identity provider refused the sign-in.';
const FAILURES = createTable({
  unavailable: 'Your identity provider cannot be reached. Try again later, or use a token.',
  rejected: REJECTED,
  not_allowed: 'Your account has no role here. Ask the operators of this gateway for one.',
});

/** Lets the user sign in with a token or, if it is configured, with OpenID Connect. */
export function SignInScreen({ linkFailure }: { readonly linkFailure: Error | null }) {
  const { failure } = useContext(ArrivalContext);
  const methods = useQuery(signInMethodsQuery).data ?? ['token'];
  useEffect(() => {
    document.title = 'Sign in · Tollgate';
  }, []);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo />
        <h1>Sign in</h1>
        {linkFailure !== null && <LinkFailure error={linkFailure} />}
        {failure !== null && <Note tone="refused">{FAILURES.get(failure) ?? REJECTED}</Note>}
        {methods.includes('oidc') && (
          <a href="./oidc" className={buttonClass('primary')}>
            <ButtonContent icon={LogIn}>Single sign-on</ButtonContent>
          </a>
        )}
        {methods.includes('token') && <TokenForm primary={!methods.includes('oidc')} />}
      </div>
    </main>
  );
}

function LinkFailure({ error }: { readonly error: Error }) {
  if (!isStatus(error, 401)) return <Note tone="refused">The link could not be used. {error.message}</Note>;
  return (
    <Note tone="refused">
      This link was already used, or is older than 15 minutes. To create another one, run <code>tollgate console</code>.
    </Note>
  );
}

function TokenForm({ primary }: { readonly primary: boolean }) {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => queries.setQueryData(SESSION_KEY, session),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate(token.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Admin token"
        type="password"
        required
        autoComplete="current-password"
        // The page has no other purpose than this field, so it may take the focus.
        autoFocus
        value={token}
        error={attempt.error === null ? undefined : describeRefusal(attempt.error)}
        onChange={setToken}
      />
      <Button kind={primary ? 'primary' : 'plain'} type="submit" disabled={attempt.isPending}>
        {attempt.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
      <p className={styles.hint}>
        The gateway created one in <code>data/admin-token</code> at its first start. Or run{' '}
        <code>tollgate console</code> for a sign-in link.
      </p>
    </form>
  );
}

function describeRefusal(error: Error): string {
  if (isStatus(error, 401)) return 'This token is not valid here. Check that you pasted all of it.';
  return error.message;
}
