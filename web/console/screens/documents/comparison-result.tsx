import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { pluralize } from '../../../shared/format/number.ts';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Note } from '../../../shared/ui/page/states.tsx';
import type { ComparisonInput, DocumentComparison } from '../../api/document-comparison.ts';
import { ChangeTable } from './change-table.tsx';
import styles from './documents.module.css';

interface Props {
  readonly compared: ComparisonInput;
  readonly result: DocumentComparison;
}

export function ComparisonResult({ compared, result }: Props) {
  const { summary, changes, overlay } = result;
  const { incomplete } = summary;
  return (
    <>
      <Section title={`${compared.file.name} on ${compared.upstream}`}>
        {changes.length > 0 && (
          <div role="status">
            <Summary {...result} days={compared.days} />
          </div>
        )}
        {incomplete !== null && (
          <Note tone="refused" icon={TriangleAlert}>
            <strong>The comparison is not complete:</strong> {incomplete}.
          </Note>
        )}
        {changes.length === 0 ? (
          <Empty icon={CircleCheck} title="No changes">
            For callers, this document is equivalent to the current one. Differences in descriptions and order are
            ignored.
          </Empty>
        ) : (
          <ChangeTable result={result} days={compared.days} />
        )}
      </Section>
      {overlay !== null && <Announcement upstream={compared.upstream} overlay={overlay} />}
    </>
  );
}

function Summary({ summary, days }: Pick<DocumentComparison, 'summary'> & { readonly days: number }) {
  const { breaking, warning, compatible, called, keys, owners } = summary;
  const period = `in the last ${days} days`;
  const counts = `${pluralize(breaking, 'breaking change')}, ${pluralize(warning, 'warning')}, ${pluralize(compatible, 'compatible change')}.`;
  if (called > 0)
    return (
      <Note tone="failed" icon={CircleX}>
        <strong>
          {pluralize(called, 'breaking change')} would affect{' '}
          {keys === 0 ? 'callers without a key' : `${pluralize(keys, 'key')} of ${pluralize(owners, 'owner')}`}
        </strong>{' '}
        that called {period}. In total: {counts}
      </Note>
    );
  if (breaking > 0)
    return (
      <Note tone="refused" icon={TriangleAlert}>
        <strong>No affected operation was called</strong> {period}. In total: {counts}
      </Note>
    );
  return (
    <Note tone="served" icon={CircleCheck}>
      <strong>Nothing breaks.</strong> {counts}
    </Note>
  );
}

function Announcement({ upstream, overlay }: { readonly upstream: string; readonly overlay: string }) {
  return (
    <Section title="Announce the removal first">
      <p className={styles.words}>
        Save this overlay as a file, add the file to <code>overlays</code> of the service <bdi>{upstream}</bdi>, and
        reload the configuration. The gateway then announces to callers that the operations will be removed, and when.
      </p>
      <Code text={overlay} label="Copy the overlay" />
    </Section>
  );
}
