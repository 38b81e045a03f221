import { expect, test } from '@jest/globals';
import type { Plan } from './plans.ts';
import { contentOf } from './plan-content.ts';

const PLAN: Plan = {
  id: 'pro',
  name: 'Pro',
  description: '',
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
