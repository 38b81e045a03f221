import { ApiError, isStatus } from '../../../shared/transport/error.ts';
import { Failure } from '../../../shared/ui/page/states.tsx';
import type { ComparisonInput } from '../../api/document-comparison.ts';
import styles from './documents.module.css';

interface Props {
  readonly error: Error;
  readonly compared: ComparisonInput;
  readonly onRetry: () => void;
}

/** Says why there is no comparison: errors in the files with their lines, or the state of the gateway. */
export function ComparisonFailure({ error, compared, onRetry }: Props) {
  const isRefused = isStatus(error, 422);
  const mayPass = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return (
    <Failure
      title={isRefused ? 'The document cannot be compared' : 'Could not compare the document'}
      {...(mayPass ? { onRetry } : {})}
    >
      {isRefused && error instanceof ApiError && error.details.length > 0 ? (
        <ul className={styles.faults}>
          {error.details.map(({ message }) => (
            <li key={message}>{withFileNames(message, compared)}</li>
          ))}
        </ul>
      ) : (
        <p>{wordsFor(error)}</p>
      )}
    </Failure>
  );
}

/**
 * Replaces `document` and `overlays[0]` with the file names. Errors begin with the place (`document:2: …`), unless they
 * are about the whole document.
 */
function withFileNames(message: string, { file, overlays }: ComparisonInput): string {
  if (message.startsWith('document')) return message.replace('document', file.name);
  const overlay = /^overlays\[(\d+)\]/.exec(message);
  if (overlay === null) return `The document ${message}.`;
  const [place, index] = overlay;
  return (overlays[Number(index)]?.name ?? place) + message.slice(place.length);
}

function wordsFor(error: Error): string {
  if (isStatus(error, 0)) return 'The gateway did not respond. Check that it is running.';
  if (isStatus(error, 503) && error instanceof ApiError && error.code === 'overloaded')
    return 'Another comparison is running. Only one can run at a time: try again in a moment.';
  if (isStatus(error, 503)) return `The gateway cannot read the history of calls. ${error.message}`;
  return error.message;
}
