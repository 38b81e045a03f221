import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { formatShortDuration } from '../../../shared/format/time.ts';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { keysQuery } from '../../api/keys.ts';
import { plansQuery } from '../../api/plans.ts';

/** Shows the user's own limits above a guide that explains limits in general. */
export function OwnFigures() {
  const plans = useQuery(plansQuery).data;
  const maxKeys = useQuery(keysQuery).data?.maxKeys;
  if (plans === undefined) return null;
  const { current, bans } = plans;
  return (
    <section aria-label="Your limits">
      <p>
        <strong>
          Your limits on the <Link to="/plans">{current.name}</Link> plan:
        </strong>
      </p>
      <Facts>
        {current.limits !== null && (
          <Fact name="Limits">
            {formatCount(current.limits.minute)} a minute, {formatCount(current.limits.day)} a day
            {current.limits.month !== undefined && <>, {formatCount(current.limits.month)} a month</>}
          </Fact>
        )}
        {bans !== null && (
          <Fact name="A ban starts">
            after {pluralize(bans.strikes, 'strike')} within {formatShortDuration(bans.withinSeconds * 1000)}
          </Fact>
        )}
        {bans !== null && (
          <Fact name="Bans last">
            {bans.lengthsSeconds.map((seconds) => formatShortDuration(seconds * 1000)).join(', then ')}
          </Fact>
        )}
        {maxKeys !== undefined && <Fact name="Keys">up to {maxKeys}, sharing these limits</Fact>}
      </Facts>
    </section>
  );
}
