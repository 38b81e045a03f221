import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import { ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import styles from '../../../shared/ui/page/card-page.module.css';
import { Note } from '../../../shared/ui/page/states.tsx';
import { linkQuery } from '../../api/session.ts';
import { SiteLogo } from '../../parts/site-logo.tsx';
import { ArrivalContext, useSite } from '../../session/session-context.ts';
import { KeyForm } from './key-form.tsx';
import { LinkForm } from './link-form.tsx';

const FAILURES: Readonly<Record<string, string>> = {
  session_ended: 'Your session has ended. Sign in again.',
  unavailable: 'The provider of your account cannot be reached. Try again in a while.',
  rejected: 'The provider of your account did not let you in.',
  not_allowed: 'You are known, but have no account here. Ask the team behind this API for an invitation.',
};

/** With a link that was sent, with one's own account where that is set up, or with a key. */
export function SignInScreen() {
  const { title } = useSite();
  const { token } = useContext(ArrivalContext);
  const [dismissed, setDismissed] = useState(false);
  useEffect(() => {
    document.title = `Sign in · ${title}`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <SiteLogo />
        {token === null || dismissed ? (
          <OtherWays linkFailed={false} />
        ) : (
          <Invited token={token} onDismiss={() => setDismissed(true)} />
        )}
      </div>
    </main>
  );
}

function Invited({ token, onDismiss }: { readonly token: string; readonly onDismiss: () => void }) {
  const link = useQuery(linkQuery(token));
  if (link.isError) return <OtherWays linkFailed />;
  if (link.data === undefined) return <p role="status">Reading the link…</p>;
  return <LinkForm token={token} name={link.data.name} onDismiss={onDismiss} />;
}

function OtherWays({ linkFailed }: { readonly linkFailed: boolean }) {
  const { signIn, signUp } = useSite();
  const { failure } = useContext(ArrivalContext);
  const hasOidc = signIn.includes('oidc');
  return (
    <>
      <h1>Sign in</h1>
      {linkFailed && (
        <Note tone="refused">This link was used before, or has expired. Ask whoever sent it for another one.</Note>
      )}
      {failure !== null && <Note tone="refused">{FAILURES[failure] ?? FAILURES.rejected}</Note>}
      {hasOidc && (
        <a href="./api/oidc/start" className={buttonClass('primary')}>
          <ButtonContent icon={LogIn}>
            {signUp === 'open' ? 'Sign in or sign up' : 'With your own account'}
          </ButtonContent>
        </a>
      )}
      {signIn.includes('key') && <KeyForm primary={!hasOidc} />}
      {signIn.includes('link') && (
        <p className={styles.hint}>
          {signUp === 'open'
            ? 'A link that the team behind this API sends you signs you in, too.'
            : 'To sign in to an account, open the link that the team behind this API sends you. Each works once; ask them for a new one.'}
        </p>
      )}
    </>
  );
}
