import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planFields, planSchema } from '../../src/domain/plan.ts';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { root } from '../support/gateway/gateway.ts';
import { servedOperation } from '../support/gateway/served-operation.ts';

const longSelectors = ['x'.repeat(516), 'x'.repeat(517)];
const manySelectors = Array.from({ length: 201 }, (_, index) => `operation${index}`);

/** The document of the admin API repeats the rules for a plan's fields, so both must accept the same plans. */
let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({ served: ['a', ...longSelectors, ...manySelectors].map((id) => servedOperation(id)) });
});
afterAll(() => admin.stop());

const limits = { minute: 5, day: 50 };
const plan = { id: 'basic', name: 'Basic', limits };

const LARGEST = Number.MAX_SAFE_INTEGER;
const texts = (max: number) => ['', 'x'.repeat(max), 'x'.repeat(max + 1), 5, null];

/** Values on both sides of each rule. */
const VALUES: Readonly<Record<(typeof planFields)[number], readonly unknown[]>> = {
  id: ['', 'a', `a${'b'.repeat(63)}`, `a${'b'.repeat(64)}`, 'A', '1a', 'a-_9', 'a b', 'a\n', 5, null, undefined],
  name: [' ', ...texts(128), undefined],
  description: [...texts(1000), undefined],
  priceText: [...texts(100), undefined],
  limits: [
    ...[0, 1, -1, 1.5, '5', null, LARGEST, LARGEST + 1].flatMap((value) => [
      { minute: value, day: LARGEST },
      { minute: 1, day: value },
      { minute: 1, day: 1, month: value },
    ]),
    { minute: 3, day: 2 },
    { minute: 1, day: 3, month: 2 },
    { minute: 1 },
    { ...limits, hour: 9 },
    {},
    [],
    'none',
    null,
    undefined,
  ],
  concurrent: [0, 1, 5, -1, 1.5, '5', true, LARGEST, LARGEST + 1, null, undefined],
  custom: [true, false, 'true', 0, null, undefined],
  mode: ['enforce', 'shadow', 'Enforce', '', null, undefined],
  onStoreFailure: ['local', 'open', 'closed', 'close', '', null, undefined],
  operations: [
    ['a'],
    [],
    [''],
    [5],
    'a',
    null,
    undefined,
    manySelectors.slice(0, 200),
    manySelectors,
    ...longSelectors.map((selector) => [selector]),
  ],
};

test.each(planFields)('%s: the admin API accepts the same values as the schema', async (field) => {
  for (const value of VALUES[field]) {
    const tried = JSON.parse(JSON.stringify({ ...plan, [field]: value })) as Record<string, unknown>;
    const { status } = await admin.call('POST', '/v1/plans', { json: tried });
    const isAccepted = planSchema.safeParse(tried).success;
    expect([value, status]).toEqual([value, isAccepted ? 201 : 400]);
    if (isAccepted) await admin.call('DELETE', `/v1/plans/${tried['id'] as string}`);
  }
});

test('the documentation explains each field', () => {
  const page = readFileSync(join(root, 'docs/operators/plans.md'), 'utf8');
  const explained = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, field = '']) => field);
  expect(planFields.filter((field) => !explained.includes(field))).toEqual(['id', 'name', 'description']);
});
