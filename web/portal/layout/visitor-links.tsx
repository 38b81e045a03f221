import { Link, useRouterState } from '@tanstack/react-router';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import styles from './visitor-links.module.css';

/** Links for visitors without a session: to get access, and to sign in. They replace the account menu. */
export function VisitorLinks() {
  // The front page has a prominent button for access, so the link is left out there.
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
