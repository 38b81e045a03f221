import { Link } from '@tanstack/react-router';
import type { NavigationProps } from './navigation.ts';
import styles from './navigation-links.module.css';

export function NavigationLinks({ groups, onFollow }: NavigationProps) {
  return groups.map(({ group, places }) => (
    <div key={group} className={styles.group}>
      <div className={styles.name}>{group}</div>
      <ul>
        {places.map(({ label, to, icon: Icon, count = 0 }) => (
          <li key={to}>
            <Link to={to} className={styles.link} activeOptions={{ includeSearch: false }} onClick={onFollow}>
              <Icon size={16} aria-hidden />
              {label}
              {count > 0 && <span className={styles.count}>{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
