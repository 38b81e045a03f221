import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/** What the owner of a key reads about it when others use it. */
let portal: PortalUnderTest;
beforeAll(async () => {
  portal = await startPortalPages();
}, 60_000);
afterAll(() => portal.stop());

test('the owner of a key that someone else revoked reads when, why, and what to do', async () => {
  const accountId = await portal.account('leaky');
  const owner = await portal.signedInAs(accountId);
  const { key } = (await owner.post('/api/keys', { name: '<b>Shop</b>' })).body;
  const body = JSON.stringify({ reason: '<i>Found in a gist</i>' });
  expect((await portal.gateway.call('/_gateway/key/revoke', { key, method: 'POST', body })).status).toBe(200);
  const open = await portal.openAs(accountId);
  for (const screen of ['/overview', '/keys']) {
    await open.show(screen);
    await open.page.getByText('Someone who had its secret revoked the key <b>Shop</b>').waitFor();
    await open.page.getByText('The reason they gave: “<i>Found in a gist</i>”.').waitFor();
    await open.page.getByText('If it was not you, the key leaked').waitFor();
    expect(await open.findings()).toEqual([]);
  }
  expect(await open.faults()).toEqual([]);
});
