import { Link, useSearch } from '@tanstack/react-router';
import { LogIn, Mail } from 'lucide-react';
import { ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import parts from '../../parts/parts.module.css';
import { fileAddress } from '../../api/transport/root.ts';
import { useSite } from '../../session/session-context.ts';
import { RequestForm } from './request-form.tsx';
import styles from './access-screen.module.css';

/** Explains how to get a key. */
export function AccessScreen() {
  const { signUp } = useSite();
  const { plan } = useSearch({ from: '/access' });
  return (
    <Page title="Get access" summary={<p>A key identifies your application to the API. Keys belong to an account.</p>}>
      {signUp === 'open' && <SignUp />}
      {signUp === 'request' && <RequestForm wanted={plan} />}
      {signUp === 'invite' && <Invitation />}
      <section className={`${parts.card} ${styles.narrow}`} aria-label="You have an account or a key">
        <h2>You have an account or a key</h2>
        <p className={parts.muted}>Sign in to create keys, see your usage and try calls.</p>
        <div className={parts.actions}>
          <Link to="/sign-in" className={buttonClass('plain')}>
            <ButtonContent icon={LogIn}>Sign in</ButtonContent>
          </Link>
        </div>
      </section>
    </Page>
  );
}

function SignUp() {
  return (
    <section className={`${parts.card} ${styles.narrow}`} aria-label="You are new here">
      <h2>You are new here</h2>
      <p className={parts.muted}>Sign up with single sign-on. You can create a key right away.</p>
      <div className={parts.actions}>
        <a href={fileAddress('api/oidc/start')} className={buttonClass('primary')}>
          <ButtonContent icon={LogIn}>Sign up</ButtonContent>
        </a>
      </div>
    </section>
  );
}

function Invitation() {
  const { contact } = useSite();
  return (
    <section className={`${parts.card} ${styles.narrow}`} aria-label="You are new here">
      <h2>You are new here</h2>
      <p className={parts.muted}>
        Accounts are by invitation: the team behind this API creates yours and sends you a link that signs you in. Tell
        them what you want to build, and which plan fits.
      </p>
      {contact !== null && (
        <div className={parts.actions}>
          <a href={contact} rel="noreferrer" className={buttonClass('primary')}>
            <ButtonContent icon={Mail}>Contact the team</ButtonContent>
          </a>
        </div>
      )}
    </section>
  );
}
