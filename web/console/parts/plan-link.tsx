import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plansQuery } from '../api/plans.ts';

/** A plan in a sentence, by its name; one that no longer exists by its id, which leads nowhere. */
export function PlanLink({ id }: { readonly id: string }) {
  const plan = useQuery(plansQuery).data?.find((one) => one.id === id);
  if (plan === undefined) return <bdi>{id}</bdi>;
  return (
    <Link to="/plans/$id" params={{ id }} title={id}>
      <bdi>{plan.name}</bdi>
    </Link>
  );
}
