import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../shared/format/number.ts';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { publicPlansQuery } from '../../api/front.ts';

/** Shows the limits of each plan to visitors without an account. */
export function PlanFigures() {
  const plans = useQuery(publicPlansQuery).data ?? [];
  if (plans.length === 0) return null;
  return (
    <section aria-label="Limits of the plans">
      <p>
        <strong>
          Limits of the <Link to="/plans">plans</Link>:
        </strong>
      </p>
      <Facts>
        {plans.map(({ id, name, limits }) => (
          <Fact key={id} name={name}>
            {limits === null ? 'by agreement' : limitsText(limits)}
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

function limitsText({
  minute,
  day,
  month,
}: {
  readonly minute: number;
  readonly day: number;
  readonly month?: number;
}): string {
  const monthly = month === undefined ? '' : `, ${formatCount(month)} a month`;
  return `${formatCount(minute)} a minute, ${formatCount(day)} a day${monthly}`;
}
