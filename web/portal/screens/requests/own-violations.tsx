import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../shared/format/number.ts';
import { BrokenRule } from '../../../shared/ui/data/broken-rule.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { type OwnViolation, violationsQuery } from '../../api/violations.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { OperationLink } from '../../parts/operation-link.tsx';
import parts from '../../parts/parts.module.css';
import styles from './own-violations.module.css';

const columns: readonly Column<OwnViolation>[] = [
  {
    id: 'call',
    header: 'Call',
    cell: (violation) => (
      <>
        <OperationLink id={violation.operation} />
        <Problem violation={violation} />
      </>
    ),
  },
  { id: 'calls', header: 'Calls', numeric: true, width: '80px', cell: ({ requests }) => formatCount(requests) },
  {
    id: 'refused',
    header: 'Refused',
    numeric: true,
    width: '90px',
    hideBelow: 'wide',
    cell: ({ refused }) => formatCount(refused),
  },
  { id: 'first', header: 'First', width: '142px', hideBelow: 'wide', cell: ({ firstAt }) => <Time at={firstAt} /> },
  { id: 'last', header: 'Last', width: '142px', hideBelow: 'narrow', cell: ({ lastAt }) => <Time at={lastAt} /> },
];

/**
 * Lists the rules of the reference that the user's calls break. Such calls are refused, or will be once the team
 * enforces the rules.
 */
export function OwnViolations() {
  const violations = useQuery(violationsQuery);
  if (violations.data === undefined) {
    return violations.isError ? (
      <ReadFailure query={violations} what="the calls that do not fit the reference" />
    ) : (
      <Loading rows={2} label="Loading the calls that do not fit the reference" />
    );
  }
  const { compared, items } = violations.data;
  if (!compared && items.length === 0) return null;
  const isCountedOnly = items.some(({ mode }) => mode === 'report');
  return (
    <Section title="Calls that do not fit the reference">
      {items.length === 0 ? (
        <p className={parts.small}>Your calls of the last seven days fit the reference.</p>
      ) : (
        <>
          <p>
            Calls of the last seven days broke these rules.{' '}
            {isCountedOnly &&
              'Some are only counted so far, and may be refused later. Change your client so that its calls fit.'}
          </p>
          <DataTable
            caption="Rules of the reference that calls broke, most calls first"
            columns={columns}
            rows={items}
            rowId={({ operation, rule, place }) => `${operation} ${rule} ${place}`}
          />
        </>
      )}
    </Section>
  );
}

/** Shows the broken rule, what happens to such calls, and the example in the reference. */
function Problem({ violation: { rule, place, example, mode } }: { readonly violation: OwnViolation }) {
  return (
    <div>
      <BrokenRule rule={rule} path={place} />
      <span className={styles.example}>
        {mode === 'enforce' ? 'Refused with 400' : 'Only counted'}
        {example !== null && (
          <>
            {' · example: '}
            <code>
              <bdi>{example}</bdi>
            </code>
          </>
        )}
      </span>
    </div>
  );
}
