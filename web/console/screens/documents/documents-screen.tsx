import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileDiff, Waypoints } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { SelectField } from '../../../shared/ui/controls/field.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import {
  compareDocument,
  type ComparisonInput,
  MAX_DOCUMENT_BYTES,
  TOO_LARGE_MESSAGE,
} from '../../api/document-comparison.ts';
import { operationsQuery } from '../../api/operations.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { ComparisonFailure } from './comparison-failure.tsx';
import { ComparisonResult } from './comparison-result.tsx';
import styles from './documents.module.css';
import { FileField } from './file-field.tsx';

const DAYS = ['7', '30', '90', '365'];
const DEFAULT_DAYS = '30';

/** Shows whose calls a new document of a service would break. */
export function DocumentsScreen() {
  const operations = useQuery(operationsQuery);
  const services = [...new Set(operations.data?.map(({ upstream }) => upstream))].toSorted();
  return (
    <ListPage
      title="Compare a document"
      above={<Link to="/operations">Operations</Link>}
      summary="Choose the next version of a service’s document to see what it changes and which callers it would break. Nothing is applied."
    >
      {operations.isPending && <Loading rows={4} />}
      {operations.isError && operations.data === undefined && <ReadFailure query={operations} what="the services" />}
      {operations.data !== undefined && services.length === 0 && (
        <Empty icon={Waypoints} title="No service to compare with">
          Documents are compared with those of the services behind the gateway. None of them has an operation.
        </Empty>
      )}
      {services.length > 0 && <Comparison services={services} />}
    </ListPage>
  );
}

function Comparison({ services }: { readonly services: readonly string[] }) {
  const comparison = useMutation({
    mutationFn: async (compared: ComparisonInput) => ({ compared, result: await compareDocument(compared) }),
  });
  return (
    <>
      <ComparisonForm services={services} isComparing={comparison.isPending} onCompare={comparison.mutate} />
      {comparison.isPending && <Loading rows={6} label="Loading the comparison" />}
      {comparison.isError && (
        <ComparisonFailure
          error={comparison.error}
          compared={comparison.variables}
          onRetry={() => comparison.mutate(comparison.variables)}
        />
      )}
      {comparison.isSuccess && <ComparisonResult {...comparison.data} />}
    </>
  );
}

interface FormProps {
  readonly services: readonly string[];
  readonly isComparing: boolean;
  readonly onCompare: (compared: ComparisonInput) => void;
}

function ComparisonForm({ services, isComparing, onCompare }: FormProps) {
  const { service = '', days: asked = '' } = useSearch({ from: '/documents' });
  const navigate = useNavigate({ from: '/documents' });
  const [file, setFile] = useState<File>();
  const [overlays, setOverlays] = useState<readonly File[]>([]);
  useDroppedFile(setFile);
  const upstream = services.includes(service) ? service : (services[0] ?? '');
  const days = DAYS.includes(asked) ? asked : DEFAULT_DAYS;
  const set = (change: Record<string, string>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true, resetScroll: false });
  const size = [file, ...overlays].reduce((sum, each) => sum + (each?.size ?? 0), 0);
  const isTooLarge = size > MAX_DOCUMENT_BYTES;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== undefined && !isTooLarge && !isComparing)
          onCompare({ upstream, file, overlays, days: Number(days) });
      }}
    >
      <SelectField
        label="Service"
        value={upstream}
        options={services.map((name) => ({ value: name, label: name }))}
        onChange={(value) => set({ service: value })}
      />
      <SelectField
        label="Callers in the last"
        value={days}
        options={DAYS.map((value) => ({ value, label: `${value} days` }))}
        onChange={(value) => set({ days: value })}
      />
      <FileField
        label="Document"
        words="Drop the file anywhere on this page, or choose it"
        hint="The next OpenAPI document of the service, as JSON or YAML."
        error={isTooLarge ? TOO_LARGE_MESSAGE : undefined}
        files={file === undefined ? [] : [file]}
        onFiles={([chosen]) => setFile(chosen)}
      />
      <FileField
        label="Overlays"
        words="Choose files"
        hint="Choose every overlay that will apply to the document. They apply in the order of their names."
        isOptional
        isMultiple
        files={overlays}
        onFiles={(chosen) => setOverlays(chosen.toSorted((one, other) => (one.name < other.name ? -1 : 1)))}
      />
      <div className={styles.submit}>
        <Button type="submit" kind="primary" icon={FileDiff} disabled={file === undefined || isTooLarge || isComparing}>
          {isComparing ? 'Comparing…' : 'Compare'}
        </Button>
      </div>
    </form>
  );
}

/**
 * Takes a file that is dropped anywhere on the page. Otherwise, the browser would leave the console to show the file.
 */
function useDroppedFile(onFile: (file: File) => void): void {
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDrop);
    };
  }, [onFile]);
}
