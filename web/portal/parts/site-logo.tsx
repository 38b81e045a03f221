import { useSite } from '../session/session-context.ts';
import styles from './site-logo.module.css';

/** The logo of the team, if there is one, and the name of the site. */
export function SiteLogo() {
  const { title, logo } = useSite();
  return (
    <span className={styles.logo}>
      {logo === null ? (
        <svg viewBox="0 0 32 32" aria-hidden>
          <rect width="32" height="32" rx="7" className={styles.ground} />
          <path d="M8 24V12M8 14h16" className={styles.barrier} />
        </svg>
      ) : (
        <img src={logo} alt="" />
      )}
      <bdi>{title}</bdi>
    </span>
  );
}
