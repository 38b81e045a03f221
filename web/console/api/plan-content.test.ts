import { expect, test } from '@jest/globals';
import type { Plan } from './plans.ts';
import { contentOf, smallestPlan } from './plan-content.ts';

const PLAN: Plan = {
  id: 'pro',
  name: 'Pro',
  description: '',
  priceText: '',
  limits: { minute: 60, day: 1000 },
  custom: false,
  mode: 'enforce',
  onStoreFailure: 'local',
  operations: null,
};

test('saving a plan keeps every field but its id, even unknown ones', () => {
  const later = { ...PLAN, addedLater: 'kept' };
  const { id: _, ...content } = later;
  expect(contentOf(later)).toEqual(content);
});

test('the plan with the lowest limits is chosen first, never one whose keys have limits of their own', () => {
  const custom: Plan = { ...PLAN, id: 'agreed', limits: null, custom: true };
  const business: Plan = { ...PLAN, id: 'business', limits: { minute: 1000, day: 100_000 } };
  expect(smallestPlan([custom, business, PLAN])?.id).toBe('pro');
  expect(smallestPlan([custom])?.id).toBe('agreed');
  expect(smallestPlan([])).toBeUndefined();
});
