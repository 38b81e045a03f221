/**
 * If a plan has no difference, the registry writes nothing. It once compared a fixed list of fields. A new field that
 * was missing from the list could not be changed, because `putPlan` succeeded and did nothing.
 */
import { expect, test } from '@jest/globals';
import { diffRecords } from '../../../../src/control-plane/registry/audit-log.ts';
import type { Plan } from '../../../../src/domain/plan.ts';
import { free } from '../../../support/registry-data.ts';

test.each(Object.keys(free) as (keyof Plan)[])(
  'a change to only the %s of a plan is found as a difference',
  (field) => {
    const after = { ...free, [field]: 'another' };
    expect(diffRecords<Plan>(free, after)).toEqual({ before: { [field]: free[field] }, after: { [field]: 'another' } });
  },
);

test('an unchanged plan has no difference', () => {
  expect(diffRecords<Plan>(free, { ...free })).toBeNull();
});
