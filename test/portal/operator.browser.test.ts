import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openConsole, VIEWER_TOKEN } from '../console/support/console.ts';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';
import { chooseOwner } from '../console/support/choose-owner.ts';

/** An operator creates an account in the console, invites its owner, and decides the account's plan request. */
let portal: PortalUnderTest;
let operator: BrowserPage;

beforeAll(async () => {
  portal = await startPortalPages({
    settings: { adminTokens: [{ name: 'onlooker', role: 'viewer', token: '${VIEWER_TOKEN}' }] },
    env: { VIEWER_TOKEN },
  });
  operator = await openConsole(portal.chromium, portal.gateway, { at: '/portal' });
});

afterAll(async () => {
  const faults = await operator.pageErrors();
  await portal.stop();
  expect(faults).toEqual([]);
});

test('an account can be created, and its sign-in link works', async () => {
  const { page } = operator;
  await page.getByText('No accounts yet').waitFor();
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Acme Ltd.');
  await chooseOwner(page, 'acme');
  await page.getByRole('dialog').getByLabel('Plan').selectOption('free');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByText('Account created: Acme Ltd.').waitFor();
  await page.getByRole('button', { name: 'Actions for Acme Ltd.' }).click();
  await page.getByRole('menuitem', { name: 'Create a sign-in link…' }).click();
  await page.getByRole('button', { name: 'Create the link' }).click();
  const url = await page.getByRole('dialog', { name: 'Sign-in link', exact: true }).locator('pre').textContent();
  const consumer = await portal.open(`token=${url?.split('#token=')[1]}`);
  await consumer.page.getByRole('button', { name: 'Sign in as Acme Ltd.' }).click();
  await consumer.page.getByRole('heading', { name: 'Acme Ltd.' }).waitFor();
  await consumer.show('/plans');
  await consumer.page.getByRole('button', { name: 'Request Pro…' }).click();
  await consumer.page.getByRole('button', { name: 'Send the request' }).click();
  await consumer.page.getByText('Waiting for a decision').waitFor();
  await consumer.close();
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
});

test('the screen of accounts has no errors or accessibility problems, and fits a phone', async () => {
  for (const dark of [false, true]) {
    const open = await openConsole(portal.chromium, portal.gateway, { at: '/portal', dark });
    await open.page.getByText('1 request is waiting for a decision.').waitFor();
    expect(await open.findings()).toEqual([]);
    await open.page.setViewportSize({ width: 320, height: 640 });
    expect(await open.overflow()).toBeLessThanOrEqual(0);
    expect(await open.pageErrors()).toEqual([]);
    await open.close();
  }
});

test('a viewer has no buttons to decide plan requests', async () => {
  const viewer = await openConsole(portal.chromium, portal.gateway, { at: '/portal', token: VIEWER_TOKEN });
  await viewer.page.getByText('free → pro').waitFor();
  for (const name of [/create/i, /approve/i, /decline/i, /actions/i]) {
    expect(await viewer.page.getByRole('button', { name }).count()).toBe(0);
  }
  await viewer.close();
});

test('the approval dialog shows the usage and limits of the account, and approval changes the plan', async () => {
  const [account] = (await portal.admin('GET', '/v1/accounts')).items;
  const { key } = (await (await portal.signInAs(account.id)).post('/api/keys', { name: 'Shop' })).body;
  for (let call = 0; call < 62; call++) await portal.gateway.call('/pets/1', { key });
  await until(async () => {
    const { series } = await portal.admin('GET', `/v1/usage?owner=${account.owner}&by=outcome`);
    return series.length === 2;
  });
  await operator.show('/overview');
  await operator.show('/portal');
  await operator.page.getByRole('button', { name: 'Approve…' }).click();
  const limits = 'from Free (60 a minute, 1,000 a day) to Pro (300 a minute, 10,000 a day)';
  await operator.page.getByText(limits).waitFor();
  await operator.page.getByText('60 of 1,000 today').waitFor();
  await operator.page
    .getByText('62 requests, at most 60 units charged in a day; refused: 2 by the limit per minute')
    .waitFor();
  expect(await operator.findings()).toEqual([]);
  await operator.page.getByLabel('Message to Acme Ltd.').fill('as agreed');
  await operator.page.getByRole('button', { name: 'Move to pro' }).click();
  await operator.page.getByText('No requests are waiting.').waitFor();
  const { items } = await portal.admin('GET', '/v1/accounts');
  expect(items).toMatchObject([{ owner: 'acme', plan: 'pro' }]);
});

test('an account can be disabled', async () => {
  await operator.page.getByRole('button', { name: 'Actions for Acme Ltd.' }).click();
  await operator.page.getByRole('menuitem', { name: 'Disable…' }).click();
  await operator.page.getByLabel('Reason').fill('left');
  await operator.page.getByRole('button', { name: 'Disable', exact: true }).click();
  await operator.page.getByText('Disabled: Acme Ltd.').waitFor();
});

test('the dialog to delete an account lists what is deleted and what is kept', async () => {
  const { page } = operator;
  const id = await portal.account('globex', { name: 'Globex' });
  const consumer = await portal.signInAs(id);
  const { key: secret } = (await consumer.post('/api/keys', { name: 'One' })).body;
  await consumer.post('/api/keys', { name: 'Other' });
  const given = await portal.admin('POST', '/v1/keys', { name: 'Agreed', owner: 'globex', plan: 'pro' });
  await page.reload();
  await page.getByRole('button', { name: 'Actions for Globex' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the account' });
  await dialog.getByText('calls with 2 keys that it created get').waitFor();
  await dialog.getByText('Not deleted: 1 key that operators created for globex').waitFor();
  expect(await dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true);
  expect(await operator.findings()).toEqual([]);
  await dialog.getByLabel('Reason').fill('the contract ended');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('Account deleted: Globex').waitFor();
  expect((await portal.gateway.call('/pets', { key: secret })).status).toBe(401);
  expect((await portal.gateway.call('/pets', { key: given.key })).status).toBe(200);
  expect((await consumer.get('/api/session')).status).toBe(401);
  expect((await portal.admin('GET', `/v1/audit?subject=${id}&limit=1`)).items).toMatchObject([
    { action: 'account.delete', reason: 'the contract ended' },
  ]);
});

test('a ban and its lift have a reason that only operators see, and a message that the customer sees', async () => {
  const { page } = operator;
  const id = await portal.account('initech', { name: 'Initech' });
  const { id: keyId } = (await (await portal.signInAs(id)).post('/api/keys', { name: 'Printer' })).body;
  const consumer = await portal.openAs(id);
  await operator.show(`/keys/${keyId}`);
  await page.getByRole('button', { name: 'Ban…' }).click();
  await page.getByLabel('Reason').fill('scrapes, and does not pay');
  await page.getByLabel('Message').fill('Please use the export.');
  expect(await operator.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Ban for 1 hour' }).click();
  await page.getByText('Banned: Printer').waitFor();
  const region = page.getByRole('region', { name: 'Bans' });
  await region.getByText('scrapes, and does not pay').waitFor();
  await region.getByText('To the customer: Please use the export.').waitFor();
  for (const at of ['/overview', '/requests']) {
    await consumer.show(at);
    await consumer.page.getByText('Please use the export.').first().waitFor();
    expect(await consumer.page.getByText('does not pay').count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Lift the ban…' }).click();
  await page.getByLabel('Reason').fill('paid');
  await page.getByLabel('Message').fill('Thank you.');
  await page.getByRole('button', { name: 'Lift the ban', exact: true }).click();
  await region.getByText('To the customer: Thank you.').waitFor();
  await operator.show('/audit?action=ban.lift');
  await page.getByText('To the customer: Thank you.').first().waitFor();
  await page
    .getByRole('row', { name: /lifted the ban/ })
    .locator('a[data-row-link]:visible')
    .click();
  await page.getByRole('dialog').getByText('Thank you.').waitFor();
  expect(await operator.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await consumer.close();
});
