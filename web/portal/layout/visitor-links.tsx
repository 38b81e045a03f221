import { Link, useRouterState } from '@tanstack/react-router';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import styles from './visitor-links.module.css';

/** Shown to visitors without a session, in place of the account menu. */
export function VisitorLinks() {
  // The introduction has a prominent button of its own.
  const offersAccess = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId !== '/' });
  return (
    <div className={styles.links}>
      <Link to="/sign-in" className={buttonClass('quiet')}>
        Sign in
      </Link>
      {offersAccess && (
        <Link to="/access" className={buttonClass('primary', styles.access)}>
          Get access
        </Link>
      )}
    </div>
  );
}
