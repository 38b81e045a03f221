import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { pluralize } from '../../../shared/format/number.ts';
import { Fact, Facts, Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { findOwnId } from '../../api/operation-id.ts';
import { type Operation, operationsQuery } from '../../api/operations.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { LifecycleState, PublicBadge } from '../../parts/lifecycle-state.tsx';
import { Traffic } from '../../parts/traffic.tsx';
import { CallingOwners } from './calling-owners.tsx';
import { Callers } from './callers.tsx';
import { OperationViolations } from './violations.tsx';
import { LifecycleTimeline } from './lifecycle-timeline.tsx';
import styles from './operation-screen.module.css';

/** Shows an operation and who still calls it. The past callers of a removed operation are listed, too. */
export function OperationScreen() {
  const { id } = useParams({ from: '/operations/$id' });
  const period = readPeriod(useSearch({ from: '/operations/$id' }));
  const operations = useQuery(operationsQuery);
  const operation = operations.data?.find((one) => one.id === id);
  const isGone = operations.data !== undefined && operation === undefined;
  return (
    <Page
      title={operation === undefined ? id : `${operation.method} ${operation.path}`}
      above={<Link to="/operations">Operations</Link>}
      heading={<Heading id={id} operation={operation} />}
      summary={
        isGone ? (
          <p>Not served now. If it was called before, its callers are listed below.</p>
        ) : (
          operation !== undefined && <Served operation={operation} />
        )
      }
    >
      {operations.isPending && <Loading rows={2} label="Loading the operation" />}
      {operations.isError && operations.data === undefined && <ReadFailure query={operations} what="the operation" />}
      {operation !== undefined && (
        <>
          <LifecycleTimeline lifecycle={operation.lifecycle} />
          <Replacement operation={operation} />
        </>
      )}
      <Traffic period={period} filters={{ operation: id }} />
      {operation !== undefined && <OperationViolations operation={operation} period={period} />}
      <CallingOwners id={id} period={period} />
      <Callers id={id} />
    </Page>
  );
}

function Heading({ id, operation }: { readonly id: string; readonly operation?: Operation }) {
  if (operation === undefined) return <code>{id}</code>;
  return (
    <span className={styles.heading}>
      <code>
        {operation.method} {operation.path}
      </code>
      <LifecycleState lifecycle={operation.lifecycle} />
      {operation.public && <PublicBadge />}
    </span>
  );
}

/** Says which service the operation belongs to, and what a call costs. */
function Served({ operation }: { readonly operation: Operation }) {
  const { upstream, cost } = operation;
  const id = findOwnId(operation);
  return (
    <p>
      {id === '' ? 'An operation' : <code>{id}</code>} of the service <strong>{upstream}</strong>.{' '}
      {operation.public ? 'It needs no key; a call with one costs' : 'A call costs'} {pluralize(cost, 'unit')}.
    </p>
  );
}

function Replacement({ operation: { lifecycle } }: { readonly operation: Operation }) {
  const { successor, deprecationLink } = lifecycle;
  if (successor === null && deprecationLink === null) return null;
  return (
    <Facts>
      {successor !== null && (
        <Fact name="Successor">
          <code>{successor}</code>
        </Fact>
      )}
      {/* The URL comes from the service's document and may be unsafe, so it is shown as text and not as a link. */}
      {deprecationLink !== null && (
        <Fact name="Deprecation notice">
          <code>{deprecationLink}</code>
        </Fact>
      )}
    </Facts>
  );
}
