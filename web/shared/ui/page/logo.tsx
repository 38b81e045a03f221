import styles from './logo.module.css';

export function Logo() {
  return (
    <span className={styles.logo}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="7" className={styles.ground} />
        <path d="M8 24V12M8 14h16" className={styles.barrier} />
      </svg>
      <span>Tollgate</span>
    </span>
  );
}
