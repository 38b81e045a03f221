import { Link } from '@tanstack/react-router';
import parts from '../../parts/parts.module.css';
import { useSite } from '../../session/session-context.ts';
import { KeyForm } from '../sign-in/key-form.tsx';
import styles from './operation-screen.module.css';

/** Asks a visitor for a key. After the sign-in, the form that sends the call replaces it. */
export function VisitorTry({ operationId }: { readonly operationId: string }) {
  const { signIn } = useSite();
  return (
    <section aria-label="Try it" className={styles.panel}>
      <div className={styles.form}>
        <h2>Try it</h2>
        {signIn.includes('key') && (
          <KeyForm
            primary
            hint="The call is made with this key. You can then also see its usage, but not change keys."
          />
        )}
        <p className={parts.muted}>
          No key yet? <Link to="/access">Get access</Link>. If you have an account,{' '}
          <Link to="/sign-in" search={{ operation: operationId }}>
            sign in
          </Link>
          .
        </p>
      </div>
    </section>
  );
}
