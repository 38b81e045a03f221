import { BrokenRule } from '../../../shared/ui/data/broken-rule.tsx';
import type { Violations } from '../../api/violations.ts';
import styles from './violations.module.css';

/** Lists the rules that the requests of a key or an owner broke, most requests first. */
export function RuleList({ rules, topRules }: Pick<Violations, 'rules' | 'topRules'>) {
  const further = rules - topRules.length;
  return (
    <ul className={styles.rules}>
      {topRules.map(({ rule, path }) => (
        <li key={`${rule} ${path}`}>
          <BrokenRule rule={rule} path={path} />
        </li>
      ))}
      {further > 0 && <li className={styles.further}>and {further} more</li>}
    </ul>
  );
}
