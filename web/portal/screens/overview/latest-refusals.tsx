import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { refusalsQuery } from '../../api/refusals.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { RefusalTable } from '../../parts/refusal-table.tsx';

const MAX_SHOWN = 3;

/** Lists the latest refusals with their reasons. */
export function LatestRefusals() {
  const recent = useQuery(refusalsQuery);
  return (
    <Section title="Latest refusals" aside={<Link to="/requests">All refused requests</Link>}>
      {recent.isPending && <Loading rows={2} label="Loading the latest refusals" />}
      {recent.isError && recent.data === undefined && <ReadFailure query={recent} what="the latest refusals" />}
      {recent.data?.items.length === 0 && <p className={parts.small}>No refused requests in the last 48 hours.</p>}
      {recent.data !== undefined && recent.data.items.length > 0 && (
        <RefusalTable refusals={recent.data.items} maxRows={MAX_SHOWN} />
      )}
    </Section>
  );
}
