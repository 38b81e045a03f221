import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { LogIn } from 'lucide-react';
import { useContext, useEffect } from 'react';
import { Button, ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import styles from '../../../shared/ui/page/card-page.module.css';
import { isStatus } from '../../../shared/transport/error.ts';
import { createTable } from '../../../shared/format/table-of.ts';
import { Note } from '../../../shared/ui/page/states.tsx';
import { linkQuery, type Whoami } from '../../api/session.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { SiteLogo } from '../../parts/site-logo.tsx';
import { fileAddress } from '../../api/transport/root.ts';
import { ArrivalContext, useSite } from '../../session/session-context.ts';
import { KeyForm } from './key-form.tsx';
import { LinkForm } from './link-form.tsx';

const REJECTED = 'Your identity provider refused the sign-in.';
const FAILURES = createTable({
  unavailable: 'Your identity provider cannot be reached. Try again later.',
  rejected: REJECTED,
  not_allowed: 'You have no account here. Ask the team behind this API for an invitation.',
});

interface Props {
  /** The present session. Set if a signed-in user opens a sign-in link. */
  readonly session: Whoami | null;
  /** True if a session has ended while the page was open. */
  readonly hasEnded: boolean;
}

/** Lets the user sign in with a link, with a key or, if it is configured, with OpenID Connect. */
export function SignInScreen({ session, hasEnded }: Props) {
  const { title } = useSite();
  const { token } = useContext(ArrivalContext);
  useEffect(() => {
    document.title = `Sign in · ${title}`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <SiteLogo />
        {token === null ? <OtherWays hasEnded={hasEnded} /> : <Invited token={token} session={session} />}
      </div>
    </main>
  );
}

function Invited({ token, session }: Pick<Props, 'session'> & { readonly token: string }) {
  const link = useQuery(linkQuery(token));
  if (link.isError && !isStatus(link.error, 401)) return <LinkUnread query={link} />;
  if (link.isError) return session === null ? <OtherWays linkFailed /> : <StaySignedIn session={session} />;
  if (link.data === undefined) return <p role="status">Checking the link…</p>;
  return <LinkForm token={token} name={link.data.name} isSignedIn={session !== null} />;
}

/** Says that the link could not be checked. It may still be valid, so the user can try again. */
function LinkUnread({ query: { error, refetch } }: { readonly query: UseQueryResult }) {
  return (
    <>
      <h1>Sign in</h1>
      <Note tone="refused">Could not check the link. {error?.message}</Note>
      <Button kind="primary" onClick={() => void refetch()}>
        Try again
      </Button>
    </>
  );
}

const LINK_FAILED = 'This link has already been used or has expired. Ask its sender for a new one.';

function StaySignedIn({ session: { account, key } }: { readonly session: Whoami }) {
  const { dismiss } = useContext(ArrivalContext);
  return (
    <>
      <h1>Sign in</h1>
      <Note tone="refused">{LINK_FAILED}</Note>
      <Button kind="primary" onClick={dismiss}>
        <span>
          Continue as <bdi>{account?.name ?? key?.name}</bdi>
        </span>
      </Button>
    </>
  );
}

/** Tells visitors without an account how to get one. */
function Elsewhere() {
  const { public: isPublic, contact } = useSite();
  if (!isPublic && contact === null) return null;
  return (
    <p className={styles.hint}>
      {isPublic && (
        <>
          No account yet? <Link to="/access">Get access</Link>, or read <Link to="/">what the API offers</Link>.{' '}
        </>
      )}
      <ContactLink>Contact the team</ContactLink>
    </p>
  );
}

function OtherWays({ linkFailed = false, hasEnded = false }: { readonly linkFailed?: boolean } & Partial<Props>) {
  const { signIn, signUp } = useSite();
  const { failure } = useContext(ArrivalContext);
  const { operation } = useSearch({ strict: false });
  const hasOidc = signIn.includes('oidc');
  return (
    <>
      <h1>Sign in</h1>
      {operation !== undefined && signIn.includes('key') && <p>With a key, you return to the operation to try it.</p>}
      {linkFailed && <Note tone="refused">{LINK_FAILED}</Note>}
      {hasEnded && <Note>Your session has ended. Sign in again.</Note>}
      {failure !== null && !hasEnded && <Note tone="refused">{FAILURES.get(failure) ?? REJECTED}</Note>}
      {hasOidc && (
        <a href={fileAddress('api/oidc/start')} className={buttonClass('primary')}>
          <ButtonContent icon={LogIn}>
            {signUp === 'open' ? 'Sign in or sign up' : 'Sign in with single sign-on'}
          </ButtonContent>
        </a>
      )}
      {signIn.includes('key') && (
        <KeyForm
          primary={!hasOidc}
          hint="Shows the usage of this key, and what it can call. To create and change keys, sign in to your account."
        />
      )}
      {signIn.includes('link') && (
        <p className={styles.hint}>
          {signUp === 'open'
            ? 'You can also sign in with a link from the team behind this API.'
            : 'To sign in to an account, open the link from the team behind this API. Each link works once.'}
        </p>
      )}
      <Elsewhere />
    </>
  );
}
