import type { Plan } from './plan.ts';

/** A plan that a setting names. */
export interface NamedPlan {
  /** The path of the setting, such as `portal.plan`. */
  readonly setting: string;
  readonly plan: string;
  /** What does not work without it, such as `nobody can sign up`. */
  readonly otherwise: string;
}

/** What keeps the named plans from being given to an account, a sentence each. */
export function planFaults(named: readonly NamedPlan[], plans: readonly Plan[]): string[] {
  const known = new Map(plans.map((plan) => [plan.id, plan]));
  return named.flatMap(({ setting, plan: id, otherwise }) => {
    const plan = known.get(id);
    if (plan === undefined) {
      return [
        `${setting} names the plan ${id}, but there is none with this id, so ${otherwise}: make it (tollgate plans ` +
          'apply FILE), or name one that "tollgate plans list" shows',
      ];
    }
    if (!plan.custom) return [];
    return [
      `${setting} names the plan ${id}, but its keys have limits of their own, so ${otherwise}: name a plan that has limits`,
    ];
  });
}
