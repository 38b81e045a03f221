/** The portal shows plans with their limits, prices, and included operations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPortal, type Portal } from '../../../support/gateway/portal.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ settings: { portal: { public: true } } });
  const limits = { minute: 300, day: 10_000 };
  const plan = { name: 'Pro', priceText: '$49 a month', limits };
  await portal.admin('PUT', '/v1/plans/pro', { ...plan, operations: ['tag:pets', 'createOrder'] });
});
afterAll(() => portal.stop());

test('a plan has its price text and named operations, with and without a session', async () => {
  const pro = {
    name: 'Pro',
    priceText: '$49 a month',
    limits: { minute: 300, day: 10_000 },
    includes: [
      { selector: 'tag:pets', name: 'pets', operation: null, operations: expect.any(Number) },
      { name: expect.stringMatching(/order/i), operation: 'createOrder', operations: 1 },
    ],
  };
  const { items } = (await portal.browser().get('/api/public/plans')).body;
  expect(items).toMatchObject([{ id: 'free', priceText: '', includes: null }, pro]);
  expect(items[1].includes[0].operations).toBeGreaterThan(3);
  const member = await portal.signInAs(await portal.account('acme'));
  const own = (await member.get('/api/plans')).body;
  expect(own).toMatchObject({ current: { id: 'free', includes: null }, requestable: [pro] });
});

test('a change of only the price of a plan is in the audit log, and publishes no plan.changed event', async () => {
  const current = await portal.admin('GET', '/v1/plans/pro');
  await portal.admin('PUT', '/v1/plans/pro', { ...current, priceText: '$59 a month' });
  expect((await portal.admin('GET', '/v1/plans/pro')).priceText).toBe('$59 a month');
  const { items } = await portal.admin('GET', '/v1/audit?subject=pro');
  expect(items[0]).toMatchObject({ action: 'plan.put', after: { priceText: '$59 a month' } });
  const events = (await portal.admin('GET', '/v1/events?type=plan.changed')).items;
  expect(
    events.filter(
      ({ data }: { data: { before: object; after: object } }) =>
        JSON.stringify(data.before) === JSON.stringify(data.after),
    ),
  ).toEqual([]);
});

test('plans and keys are shown with their limit of concurrent requests', async () => {
  const current = await portal.admin('GET', '/v1/plans/free');
  await portal.admin('PUT', '/v1/plans/free', { ...current, concurrent: 8 });
  expect((await portal.browser().get('/api/public/plans')).body.items[0]).toMatchObject({ id: 'free', concurrent: 8 });
  const member = await portal.signInAs(await portal.account('globex'));
  expect((await member.get('/api/plans')).body.current).toMatchObject({ id: 'free', concurrent: 8 });
  const terms = { name: 'a', owner: 'other', plan: 'free', concurrent: 3 };
  const { key } = await portal.admin('POST', '/v1/keys', terms);
  const visitor = await portal.signInWith(key);
  expect((await visitor.get('/api/plans')).body.current).toMatchObject({ id: 'free', concurrent: 3 });
  expect((await visitor.get('/api/keys')).body.items).toMatchObject([{ concurrent: 3 }]);
});
