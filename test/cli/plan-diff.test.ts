/**
 * With a list of fields of its own, `plans apply` said "unchanged" of a plan in which only a field had changed that was
 * missing from the list.
 */
import { expect, test } from '@jest/globals';
import { diffPlans } from '../../src/cli/plan-diff.ts';
import { planFields, type Plan } from '../../src/control-plane/registry/plans/plan.ts';
import { free } from '../support/registry-data.ts';

const { id: _, ...terms } = free;

test.each(Object.keys(terms) as (keyof typeof terms)[])('a plan whose %s alone differs is changed', (field) => {
  const wanted: Plan = { ...free, [field]: field === 'limits' ? null : 'another' };
  const { changed, unchanged } = diffPlans([wanted], [free], false);
  expect(changed).toEqual([{ plan: wanted, fields: [{ field, from: free[field], to: wanted[field] }] }]);
  expect(unchanged).toEqual([]);
});

test('the list of fields has every field of a plan', () => {
  expect(planFields.toSorted()).toEqual(Object.keys(free).toSorted());
});
