import { CircleCheck, CircleSlash, CircleX } from 'lucide-react';
import { BreakableCode } from '../ui/data/breakable-code.tsx';
import { isFailure, outcomeWords } from './outcomes.ts';
import styles from './outcome-name.module.css';

const ICONS = { served: CircleCheck, refused: CircleSlash, failed: CircleX };

/** An outcome in words, with its code. */
export function OutcomeName({ outcome }: { readonly outcome: string | null }) {
  const code = outcome ?? 'other';
  const words = outcomeWords(code);
  const served = code === 'served';
  const kind = served ? 'served' : isFailure(code) ? 'failed' : 'refused';
  const Icon = ICONS[kind];
  return (
    <span className={styles.outcome}>
      <Icon size={14} aria-hidden className={styles[kind]} />
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
