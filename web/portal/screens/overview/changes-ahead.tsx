import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { pluralize } from '../../../shared/format/number.ts';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { changesQuery } from '../../api/changes.ts';

/** Says that operations which the user calls will be removed. Renders nothing if there are none. */
export function ChangesAhead() {
  const changes = useQuery(changesQuery).data ?? [];
  if (changes.length === 0) return null;
  const first = changes.find(({ sunsetAt }) => sunsetAt !== null)?.sunsetAt;
  return (
    <Note tone="refused" icon={Hourglass}>
      You call {pluralize(changes.length, 'operation')} that will be removed
      {first != null && (
        <>
          , the first <Time at={first} />
        </>
      )}
      . <Link to="/changes">See what to call instead</Link>
    </Note>
  );
}
