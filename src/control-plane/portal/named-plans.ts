import type { NamedPlan } from '../registry/plan-warnings.ts';

interface PlanNames {
  readonly enabled: boolean;
  readonly signUp: 'invite' | 'request' | 'open';
  readonly plan: string;
  readonly requestablePlans: readonly string[];
}

/** Lists the plans that the settings of the portal name, except those that the portal does not use. */
export function listNamedPlans({ enabled, signUp, plan, requestablePlans }: PlanNames): NamedPlan[] {
  if (!enabled) return [];
  const requestablePlanNames = [...new Set(requestablePlans)].map((id) => {
    return { setting: 'portal.requestablePlans', plan: id, otherwise: 'it cannot be requested' };
  });
  if (signUp === 'invite') return requestablePlanNames;
  return [
    {
      setting: 'portal.plan',
      plan,
      otherwise: signUp === 'open' ? 'sign-up is disabled' : 'it cannot be requested with an account',
    },
    ...requestablePlanNames,
  ];
}
