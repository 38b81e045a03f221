import { expect, test } from '@jest/globals';
import type { Plan } from './plans.ts';
import { withoutId, proposePlan } from './plan-content.ts';

const PLAN: Plan = {
  id: 'pro',
  name: 'Pro',
  description: '',
  priceText: '',
  concurrent: null,
  limits: { minute: 60, day: 1000 },
  custom: false,
  mode: 'enforce',
  onStoreFailure: 'local',
  operations: null,
};

test('saving a plan keeps every field but its id, even unknown ones', () => {
  const later = { ...PLAN, addedLater: 'kept' };
  const { id: _, ...content } = later;
  expect(withoutId(later)).toEqual(content);
});

const smallestPlan = (plans: readonly Plan[]) => proposePlan(plans, []);

test('the first wanted plan that exists and enforces its limits is proposed', () => {
  const free: Plan = { ...PLAN, id: 'free', limits: { minute: 1, day: 10 } };
  const trial: Plan = { ...free, id: 'trial', mode: 'shadow' };
  expect(proposePlan([free, PLAN], ['pro', 'free'])?.id).toBe('pro');
  expect(proposePlan([free, PLAN], [undefined, 'none', 'pro'])?.id).toBe('pro');
  expect(proposePlan([trial, free, PLAN], ['trial', 'pro'])?.id).toBe('pro');
  expect(proposePlan([trial, free, PLAN], ['trial'])?.id).toBe('free');
  expect(proposePlan([trial], ['trial'])).toBeUndefined();
});

test('without a wanted plan, the one with the lowest limits is proposed, and a custom one only as a last resort', () => {
  const custom: Plan = { ...PLAN, id: 'agreed', limits: null, custom: true };
  const business: Plan = { ...PLAN, id: 'business', limits: { minute: 1000, day: 100_000 } };
  expect(smallestPlan([custom, business, PLAN])?.id).toBe('pro');
  expect(smallestPlan([custom])?.id).toBe('agreed');
  expect(smallestPlan([])).toBeUndefined();
});
