import { CircleCheck, CircleSlash } from 'lucide-react';
import { BreakableCode } from '../ui/data/breakable-code.tsx';
import { outcomeWords } from './outcomes.ts';
import styles from './outcome-name.module.css';

/** An outcome in words, with its code. */
export function OutcomeName({ outcome }: { readonly outcome: string | null }) {
  const code = outcome ?? 'other';
  const words = outcomeWords(code);
  const served = code === 'served';
  const Icon = served ? CircleCheck : CircleSlash;
  return (
    <span className={styles.outcome}>
      <Icon size={14} aria-hidden className={served ? styles.served : styles.refused} />
      <span>
        {words ?? code}
        {words !== undefined && !served && (
          <>
            {' '}
            <code className={styles.code}>
              <BreakableCode text={code} />
            </code>
          </>
        )}
      </span>
    </span>
  );
}
