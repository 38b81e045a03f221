import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { plansQuery } from '../api/plans.ts';

/** Returns a function from the id of a plan to its name. If no such plan exists, it returns the id. */
export function usePlanNames(): (id: string) => string {
  const plans = useQuery(plansQuery).data;
  return useCallback((id) => plans?.find((plan) => plan.id === id)?.name ?? id, [plans]);
}

export function PlanNames({ ids }: { readonly ids: readonly string[] }) {
  const nameOf = usePlanNames();
  return <bdi>{ids.map(nameOf).join(', ')}</bdi>;
}

/** Links to a plan by its name, for use within a sentence. Shows the id without a link if the plan no longer exists. */
export function PlanLink({ id }: { readonly id: string }) {
  const plan = useQuery(plansQuery).data?.find((one) => one.id === id);
  if (plan === undefined) return <bdi>{id}</bdi>;
  return (
    <Link to="/plans/$id" params={{ id }} title={id}>
      <bdi>{plan.name}</bdi>
    </Link>
  );
}
