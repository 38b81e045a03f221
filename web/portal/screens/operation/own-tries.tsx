import { Link } from '@tanstack/react-router';
import { formatMilliseconds } from '../../../shared/format/number.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import type { CallValues } from '../../reference/call/call.ts';
import type { Try } from '../../reference/call/tries.ts';
import { Disclosure } from '../../reference/view/disclosure.tsx';
import { Method } from '../../reference/view/method.tsx';
import styles from './own-tries.module.css';

interface Props {
  readonly tries: readonly Try[];
  /** The operation that the page shows. */
  readonly operationId: string;
  readonly onValues: (values: CallValues) => void;
}

/** Lists the calls that the user tried in this tab. Each can be filled in again. */
export function OwnTries({ tries, operationId, onValues }: Props) {
  if (tries.length === 0) return null;
  return (
    <Disclosure label={`Your calls in this tab (${tries.length})`}>
      <ul className={styles.tries}>
        {tries.map((each) => (
          <li key={each.at} className={styles.try}>
            <span className={styles.call}>
              <Method method={each.method} /> <code>{each.path}</code>
            </span>
            <span className={styles.facts}>
              {each.status} · {formatMilliseconds(each.durationMs)} · <Time at={new Date(each.at).toISOString()} />
            </span>
            <Again made={each} operationId={operationId} onValues={onValues} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Again({
  made: { operationId: of, values },
  operationId,
  onValues,
}: Omit<Props, 'tries'> & { readonly made: Try }) {
  if (of !== operationId) {
    return (
      <Link to="/reference/$id" params={{ id: of }} className={styles.again}>
        Open
      </Link>
    );
  }
  if (values === null) return null;
  return (
    <button type="button" className={styles.again} onClick={() => onValues(values)}>
      Fill in again
    </button>
  );
}
