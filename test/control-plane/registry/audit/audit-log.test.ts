/**
 * The registry writes nothing for a plan without a difference. When it compared a fixed list of fields, a new field that
 * was missing from the list could not be changed: `putPlan` succeeded and did nothing.
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
