import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/** The owner of a key sees how others use it. */
let portal: PortalUnderTest;
beforeAll(async () => {
  portal = await startPortalPages({ lastUsesFlushMs: 100, settings: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => portal.stop());

test('the owner of a key that somebody else revoked learns when and why, and what to do', async () => {
  const accountId = await portal.account('leaky');
  const owner = await portal.signInAs(accountId);
  const { key } = (await owner.post('/api/keys', { name: '<b>Shop</b>' })).body;
  const body = JSON.stringify({ reason: '<i>Found in a gist</i>' });
  expect((await portal.gateway.call('/_gateway/key/revoke', { key, method: 'POST', body })).status).toBe(200);
  const open = await portal.openAs(accountId);
  for (const screen of ['/overview', '/keys']) {
    await open.show(screen);
    await open.page.getByText(/The key <b>Shop<\/b> .* was revoked .* by someone who had the secret/).waitFor();
    await open.page.getByText('Reason given: “<i>Found in a gist</i>”.').waitFor();
    await open.page.getByText('If that was not you, the key has leaked.').waitFor();
    expect(await open.findings()).toEqual([]);
  }
  expect(await open.pageErrors()).toEqual([]);
});

test('the owner of a rotated key sees who still uses the old secret', async () => {
  const accountId = await portal.account('switching');
  const owner = await portal.signInAs(accountId);
  const { id, key, lastFour } = (await owner.post('/api/keys', { name: 'Shop' })).body;
  const open = await portal.openAs(accountId);
  const { page } = open;
  await open.show('/keys');
  await page.getByRole('button', { name: 'Actions for Shop' }).click();
  await page.getByRole('menuitem', { name: 'Rotate the key…' }).click();
  await page.getByLabel('Old secret stays valid for').selectOption('as long as it is used');
  // The dialog shows the periods that are configured.
  await page
    .getByText('has not been used for 7 days, after 30 days at the latest')
    .and(page.getByText('It expires once the new secret is in use'))
    .waitFor();
  expect(await open.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();

  await portal.gateway.call('/pets', { key, headers: { 'X-Forwarded-For': '203.0.113.77' } });
  const listed = async () => (await owner.get('/api/keys')).body.items.find((each: { id: string }) => each.id === id);
  await until(async () => (await listed()).grace.callsLastDay === 1 && (await listed()).grace.lastUsedFrom !== null);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: lastFour });
  await row.getByText(/Last used: .* from 203\.0\.113\.0\/24, 1 call in the last 24 hours/).waitFor();
  await row
    .getByText(/expires in (29|30) days or earlier/)
    .filter({ visible: true })
    .waitFor();
  expect(await open.findings()).toEqual([]);
  expect(await open.overflow()).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 360, height: 800 });
  await row.getByText(/Last used: .* from 203\.0\.113\.0\/24/).waitFor();
  expect(await open.overflow()).toBeLessThanOrEqual(0);
  expect(await open.pageErrors()).toEqual([]);
});
