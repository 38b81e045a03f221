import type { NamedPlan } from '../registry/plan-warnings.ts';

interface PlanNames {
  readonly enabled: boolean;
  readonly signUp: 'invite' | 'request' | 'open';
  readonly plan: string;
  readonly requestablePlans: readonly string[];
}

/** The plans that the settings of the portal name, if it needs them. */
export function namedPlans({ enabled, signUp, plan, requestablePlans }: PlanNames): NamedPlan[] {
  if (!enabled) return [];
  const requestable = [...new Set(requestablePlans)].map((id) => {
    return { setting: 'portal.requestablePlans', plan: id, otherwise: 'it cannot be requested' };
  });
  if (signUp === 'invite') return requestable;
  return [
    {
      setting: 'portal.plan',
      plan,
      otherwise: signUp === 'open' ? 'sign-up is disabled' : 'it cannot be requested with an account',
    },
    ...requestable,
  ];
}
