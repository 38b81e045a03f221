import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openConsole } from '../console/support/console.ts';
import { until } from '../support/until.ts';
import { type BrowserPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/**
 * A consumer is invited, creates a key, tries a call, exceeds the minute limit and reads why, sees a deprecated
 * operation, and gets a plan with higher limits.
 */
let portal: PortalUnderTest;
let accountId: string;
let open: BrowserPage;
let page: Page;
let secret = '';

beforeAll(async () => {
  portal = await startPortalPages({ settings: { portal: { title: 'Acme API', accent: '#0a7d4f' } } });
  accountId = await portal.account('acme', { name: 'Acme Ltd.' });
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  expect(faults).toEqual([]);
});

test('an invitation asks for confirmation, signs in once, and leaves no token in the URL', async () => {
  const token = await portal.link(accountId);
  open = await portal.open(`token=${token}`);
  ({ page } = open);
  await page.getByText('This link signs you in as Acme Ltd.').waitFor();
  await page.getByRole('button', { name: 'Sign in as Acme Ltd.' }).click();
  await page.getByRole('heading', { name: 'Acme Ltd.' }).waitFor();
  expect(page.url()).not.toContain('token');
  const again = await portal.open(`token=${token}`);
  await again.page.getByText('This link has already been used').waitFor();
  await again.close();
});

test('the portal uses the accent color of its settings', async () => {
  const accent = await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--accent")');
  expect(accent).toContain('light-dark(');
});

test('a new key shows its secret only once, with a curl command that calls the API', async () => {
  await page.getByRole('link', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('Shop backend');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const dialog = page.getByRole('dialog');
  secret = (await dialog.locator('code').first().textContent()) ?? '';
  expect(secret).toMatch(/^tg_live_\w{38}$/);
  await dialog.getByText(`export API_KEY=${secret}`).waitFor();
  await dialog.getByText(`curl -i -H "X-API-Key: $API_KEY" '${portal.gateway.url}/pets'`).waitFor();
  expect(await dialog.getByRole('button', { name: 'Copy', exact: true }).evaluate((it) => it.matches(':focus'))).toBe(
    true,
  );
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(secret.slice(-4)).waitFor();
  expect(await page.content()).not.toContain(secret);
});

test('an operation can be called from its page, which uses one unit', async () => {
  await open.show('/reference/listPets');
  await page.getByRole('button', { name: 'JavaScript' }).click();
  await page.getByRole('textbox', { name: 'limit' }).fill('3');
  await page.getByText('pets?limit=3').waitFor();
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByText('59 of 60 units left').waitFor();
  await open.show('/overview');
  await page.getByText('You have 59 requests left this minute').waitFor();
  expect(await page.getByText('Make your first request').count()).toBe(0);
});

test('when the limit per minute is reached, the portal explains the refusal', async () => {
  await until(async () => {
    await exhaustMinute();
    await page.reload();
    await waitUntilSettled(page);
    return (await page.getByText('You have 0 requests left this minute').count()) > 0;
  });
  const response = page.getByRole('article', { name: 'Response', exact: true });
  await until(async () => {
    await exhaustMinute();
    await open.show('/reference/listPets');
    await page.getByRole('button', { name: 'Send GET' }).click();
    await response.waitFor();
    return (await response.getByRole('link', { name: 'Why was it refused?' }).count()) > 0;
  });
  // The refusal may not be stored yet, and must then appear without a reload.
  await response.getByRole('link', { name: 'Why was it refused?' }).click();
  await page.getByText('60 of 60 requests used').waitFor();
  // The request can also be found without its id.
  await open.show('/requests');
  await page
    .getByRole('table')
    .getByRole('row', { name: /^GET \/pets.*60 of 60 requests used/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('article').getByText('60 of 60 requests used').waitFor();
});

/** Makes calls until no requests are left. The minute may end before the caller checks that, so callers retry. */
async function exhaustMinute(): Promise<void> {
  for (;;) {
    const response = await portal.gateway.call('/_gateway/usage', { key: secret });
    const { windows } = (await response.json()) as { windows: [minute: { remaining: number }] };
    const [{ remaining }] = windows;
    if (remaining === 0) return;
    for (let call = 0; call < remaining; call++) {
      await portal.gateway.call(call % 2 === 0 ? '/pets' : '/pets/1', { key: secret });
    }
  }
}

/** Reloads the page until it contains the text, because calls are stored with a delay. */
async function waitForText(text: string): Promise<void> {
  await until(async () => {
    await waitUntilSettled(page);
    if ((await page.getByText(text).count()) > 0) return true;
    await page.reload();
    return false;
  });
}

test('the deprecated operation that the account called is listed', async () => {
  await open.show('/changes');
  await waitForText('You call 1 operation that will be removed');
  await page.getByText('/pets?id={petId}').waitFor();
});

test('a plan can be requested, an operator approves it in the console, and the next call gets its limits', async () => {
  await open.show('/plans');
  await page.getByRole('button', { name: 'Request Pro…' }).click();
  await page.getByLabel('Message').fill('We launch in December.\nExpect 200 a minute.');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page.getByText('Waiting for a decision').waitFor();
  const operator = await openConsole(portal.chromium, portal.gateway, { at: '/portal' });
  await operator.page.getByText('Expect 200 a minute.').filter({ visible: true }).waitFor();
  await operator.page.getByRole('button', { name: 'Approve…' }).click();
  await operator.page.getByLabel('Message to').fill('welcome aboard');
  await operator.page.getByRole('button', { name: 'Move to pro' }).click();
  await operator.page.getByText('No requests are waiting.').waitFor();
  await operator.close();
  await page.reload();
  await page.getByText('welcome aboard').waitFor();
  await page.getByText('You are on Pro').waitFor();
  await open.show('/reference/listPets');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByText(/of 300 units left/).waitFor();
});

test('a key can be rotated, and only its new secret revoked', async () => {
  await open.show('/keys');
  await page.getByRole('button', { name: 'Actions for Shop backend' }).click();
  await page.getByRole('menuitem', { name: 'Rotate the key…' }).click();
  await page.getByLabel('Old secret stays valid for').selectOption('3600');
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page
    .getByText(/expires in (1 hour|59 minutes)/)
    .filter({ visible: true })
    .waitFor();
  await page.getByRole('button', { name: 'Actions for Shop backend' }).first().click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  // The dialog names each secret that will end, including the replaced one.
  const endingSecrets = page.getByRole('dialog').getByRole('listitem');
  await endingSecrets.filter({ hasText: secret.slice(-4) }).waitFor();
  expect(await endingSecrets.count()).toBe(2);
  await page.getByRole('checkbox', { name: /^Revoke only the new secret/ }).check();
  expect(await endingSecrets.count()).toBe(1);
  await page.getByRole('button', { name: 'Revoke permanently' }).click();
  await page.getByRole('button', { name: 'Show 1 revoked key' }).click();
  await page.getByText('Revoked').filter({ visible: true }).first().waitFor();
  expect((await portal.gateway.call('/pets', { key: secret })).status).toBe(200);
});

test('a session of a key can read but not make changes', async () => {
  const viewer = await portal.open('/overview');
  await viewer.page.getByLabel('API key').fill(portal.gateway.demoKey);
  await viewer.page.getByRole('button', { name: 'Sign in with this key' }).click();
  await viewer.page.getByRole('heading', { name: 'Demo' }).waitFor();
  for (const at of ['/keys', '/plans', '/account']) {
    await viewer.show(at);
    for (const name of [/create/i, /make/i, /request/i, /actions/i, /change/i]) {
      expect(await viewer.page.getByRole('main').getByRole('button', { name }).count()).toBe(0);
    }
  }
  expect(await viewer.pageErrors()).toEqual([]);
  await viewer.close();
});

test('a page whose session was ended elsewhere says so and does not offer the used link', async () => {
  const elsewhere = await portal.openAs(accountId);
  await open.show('/account');
  await page.reload();
  await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await page.getByRole('button', { name: /^Sign out Chrome/ }).waitFor({ state: 'detached' });
  await elsewhere.show('/plans');
  await elsewhere.page.getByText('Your session has ended. Sign in again.').waitFor();
  expect(await elsewhere.page.getByRole('button', { name: /^Sign in as/ }).count()).toBe(0);
  await elsewhere.close();
});

test('a sign-in link asks before it replaces the current session, even in an open tab', async () => {
  const viewer = await portal.open('/overview');
  await viewer.page.getByLabel('API key').fill(portal.gateway.demoKey);
  await viewer.page.getByRole('button', { name: 'Sign in with this key' }).click();
  await viewer.page.getByRole('heading', { name: 'Demo' }).waitFor();
  await viewer.show('/keys');
  await viewer.page.getByRole('link', { name: /^Demo tg_live/ }).waitFor();
  const openLink = async (token: string) => viewer.page.evaluate(`location.hash = 'token=${token}'`);
  const token = await portal.link(accountId);
  await openLink(token);
  await viewer.page.getByRole('button', { name: 'Keep my current session' }).click();
  await viewer.page.getByRole('button', { name: 'Demo key' }).waitFor();
  await openLink(token);
  await viewer.page.getByRole('button', { name: 'Sign in as Acme Ltd.' }).click();
  await viewer.page.getByRole('button', { name: 'Acme Ltd.' }).waitFor();
  await viewer.show('/keys');
  await viewer.page.getByText('Shop backend').first().waitFor();
  expect(await viewer.page.getByRole('link', { name: /^Demo tg_live/ }).count()).toBe(0);
  // The link has been used, and the current session continues.
  await openLink(token);
  await viewer.page.getByText('This link has already been used').waitFor();
  expect(await viewer.findings()).toEqual([]);
  await viewer.page.getByRole('button', { name: 'Continue as Acme Ltd.' }).click();
  await viewer.page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  expect(await viewer.pageErrors()).toEqual([]);
  await viewer.close();
});

test('signing out ends the session', async () => {
  await page.getByRole('button', { name: 'Acme Ltd.' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
