import { CircleAlert, CircleCheck, CircleSlash, CircleX } from 'lucide-react';
import { BreakableCode } from '../ui/data/breakable-code.tsx';
import { isFailure, findOutcomeWords } from './outcomes.ts';
import styles from './outcome-name.module.css';

const ICONS = { served: CircleCheck, clientError: CircleAlert, refused: CircleSlash, failed: CircleX };
/** The outcomes of responses from services, which have no error code of the gateway. */
const ANSWERED: ReadonlySet<string> = new Set(['served', 'client_error', 'server_error']);

/** Names an outcome in words, followed by its error code. */
export function OutcomeName({ outcome }: { readonly outcome: string | null }) {
  const code = outcome ?? 'other';
  const words = findOutcomeWords(code);
  const kind = findKind(code);
  const Icon = ICONS[kind];
  return (
    <span className={styles.outcome}>
      <Icon size={14} aria-hidden className={styles[kind]} />
      <span>
        {words ?? code}
        {words !== undefined && !ANSWERED.has(code) && (
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

function findKind(code: string): keyof typeof ICONS {
  if (code === 'served') return 'served';
  if (code === 'client_error') return 'clientError';
  return isFailure(code) ? 'failed' : 'refused';
}
