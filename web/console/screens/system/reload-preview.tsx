import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, isStatus } from '../../../shared/transport/error.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Failure, Loading } from '../../../shared/ui/page/states.tsx';
import { reloadPreviewQuery } from '../../api/system.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import styles from './reload-preview.module.css';
import { ReloadReport } from './reload-report.tsx';

interface Props {
  /** The button that reloads the configuration. Renders nothing for viewers. */
  readonly button: ReactNode;
  /** The report of the last reload. */
  readonly result: ReactNode;
}

/** Shows what a reload would do now, and which callers it would affect. */
export function ReloadPreview({ button, result }: Props) {
  const preview = useQuery(reloadPreviewQuery);
  return (
    <Section
      title="What a reload would do"
      aside={
        <div className={styles.buttons}>
          <Button
            kind="quiet"
            icon={RotateCw}
            aria-disabled={preview.isFetching}
            onClick={() => !preview.isFetching && void preview.refetch()}
          >
            {preview.isFetching ? 'Checking…' : 'Check again'}
          </Button>
          {button}
        </div>
      }
    >
      {result}
      {preview.isPending && <Loading rows={2} label="Checking the files" />}
      {preview.isError && <PreviewFailure error={preview.error} refetch={preview.refetch} />}
      {preview.isSuccess && <ReloadReport report={preview.data} />}
    </Section>
  );
}

/** Replaces the earlier preview if a check fails, because that preview no longer says what a reload would do. */
function PreviewFailure({ error, refetch }: { readonly error: Error; readonly refetch: () => unknown }) {
  if (!(error instanceof ApiError)) return <ReadFailure query={{ error, refetch }} what="the preview" />;
  if (isStatus(error, 422)) {
    return (
      <Failure title="A reload would be refused">
        <ul className={styles.faults}>
          {error.details.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
          {error.details.length === 0 && <li>{error.message}</li>}
        </ul>
      </Failure>
    );
  }
  if (error.code !== 'overloaded') return <ReadFailure query={{ error, refetch }} what="the preview" />;
  return (
    <Failure title="Another preview is running" onRetry={() => void refetch()}>
      <p>A gateway makes one preview at a time. Try again in a moment.</p>
    </Failure>
  );
}
