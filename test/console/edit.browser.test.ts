import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import { type ConsoleUnderTest, VIEWER_TOKEN } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/** Tests of editing keys and accounts. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage());
});

afterAll(() => stopAndExpectNoErrors(console, open));

// The toasts of the previous test are removed.
beforeEach(async () => {
  await page.reload();
});

interface EditedKey {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly email: string | null;
  readonly expiresAt: string | null;
  readonly limits: object | null;
  readonly metadata: object;
}

async function call(method: string, path: string, body?: object): Promise<EditedKey> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await console.gateway.admin(path, { method, ...sent });
  return (await response.json()) as EditedKey;
}

async function editDialog(id: string, title: string): Promise<Locator> {
  await open.show(`/keys/${id}`);
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  return dialog;
}

test('the name, expiry, limits and metadata of a key can be changed together, and the change can be undone', async () => {
  const key = await call('POST', '/v1/keys', {
    name: 'Shop',
    owner: 'acme',
    plan: 'enterprise',
    limits: { minute: 500, day: 1000 },
    metadata: { order: '17', constructor: 'Acme' },
    expiresAt: '2099-01-01T12:00:30.000Z',
  });
  const dialog = await editDialog(key.id, 'Edit “Shop”');
  await dialog.getByText('You have not changed anything.').waitFor();
  const save = dialog.getByRole('button', { name: 'Save the key' });
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Name', { exact: true }).fill('Shop backend');
  await dialog.getByLabel('Expires', { exact: true }).selectOption('Never');
  await dialog.getByText('Enterprise has no limits of its own').waitFor();
  await dialog.getByLabel('Per month').fill('5000');
  await dialog.getByLabel('Value of field 1').fill('18');
  await dialog.getByRole('button', { name: 'Add a field' }).click();
  await dialog.getByLabel('Name of field 3').fill('a b');
  await dialog.getByText('Correct the metadata.').waitFor();
  await dialog.getByLabel('Name of field 3').fill('contact');
  await dialog.getByLabel('Value of field 3').fill('Mia');
  expect(await dialog.getByRole('list', { name: 'Changes' }).innerText()).toMatch(
    /^Name: Shop → Shop backend\nExpires: .* → never\nLimits: .* → .*5,000 a month\norder: 17 → 18\ncontact: none → Mia$/,
  );
  expect(await findVisualProblems(open)).toEqual([]);
  await dialog.getByText('Enter a reason.').waitFor();
  await dialog.getByLabel('Reason').fill('as agreed');
  await save.click();
  await page.getByText('Key saved: Shop').waitFor();
  expect(await call('GET', `/v1/keys/${key.id}`)).toMatchObject({
    name: 'Shop backend',
    expiresAt: null,
    limits: { minute: 500, day: 1000, month: 5000 },
    metadata: { order: '18', constructor: 'Acme', contact: 'Mia' },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').waitFor();
  const { name, expiresAt, limits, metadata } = key;
  const restored = await call('GET', `/v1/keys/${key.id}`);
  expect(restored).toMatchObject({ name, expiresAt, metadata });
  expect(restored.limits).toEqual(limits);
  expect(restored.metadata).toEqual(metadata);
});

test('an expiry in the past causes a warning, and an unchanged expiry keeps its seconds', async () => {
  const expiresAt = '2099-01-01T12:00:30.000Z';
  const { id } = await call('POST', '/v1/keys', { name: 'Ends', owner: 'acme', plan: 'free', expiresAt });
  const dialog = await editDialog(id, 'Edit “Ends”');
  expect(await dialog.getByText('Custom limits').count()).toBe(0);
  await dialog.getByLabel('Expires at').fill('2020-01-01T00:00');
  await dialog.getByText('calls with this key get 401 key_expired immediately').waitFor();
  await dialog.getByRole('button', { name: 'Save and expire the key' }).waitFor();
  await dialog.getByLabel('Expires at').fill(await localMinute(expiresAt));
  await dialog.getByLabel('Name', { exact: true }).fill('Stays');
  await dialog.getByLabel('Reason').fill('typo');
  await dialog.getByRole('button', { name: 'Save the key' }).click();
  await page.getByText('Key saved: Ends').waitFor();
  expect(await call('GET', `/v1/keys/${id}`)).toMatchObject({ name: 'Stays', expiresAt });
});

/** Formats a time like the field that shows it. */
async function localMinute(time: string): Promise<string> {
  return page.evaluate((at) => {
    const date = new Date(at);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }, time);
}

test('an edit does not overwrite a key that was changed in the meantime', async () => {
  const { id } = await call('POST', '/v1/keys', { name: 'Raced', owner: 'acme', plan: 'free' });
  const dialog = await editDialog(id, 'Edit “Raced”');
  await call('PATCH', `/v1/keys/${id}`, { metadata: { other: 'change' } });
  await dialog.getByLabel('Name', { exact: true }).fill('Mine');
  await dialog.getByLabel('Reason').fill('a race');
  await dialog.getByRole('button', { name: 'Save the key' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await call('GET', `/v1/keys/${id}`)).toMatchObject({ name: 'Raced', metadata: { other: 'change' } });
});

test('lower limits that are used up already cause a warning', async () => {
  const limits = { minute: 5, day: 10 };
  const body = { name: 'Lower', owner: 'acme', plan: 'enterprise', limits };
  const key = (await call('POST', '/v1/keys', body)) as EditedKey & { key: string };
  for (let calls = 0; calls < 2; calls++) await console.gateway.call('/pets', { key: key.key });
  const dialog = await editDialog(key.id, 'Edit “Lower”');
  await dialog.getByLabel('Requests per minute').fill('2');
  await dialog.getByLabel('Per day').fill('2');
  await dialog.getByText('2 units were already used this day: calls get 429 until').waitFor();
});

test('the plan and email address of an account can be changed, and the change can be undone', async () => {
  const account = await call('POST', '/v1/accounts', {
    name: 'Acme',
    owner: 'acme-account',
    email: null,
    plan: 'free',
  });
  await open.show('/portal');
  await page.getByRole('button', { name: 'Actions for Acme' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the account' });
  const plans = await dialog.getByLabel('Plan').locator('option').allInnerTexts();
  expect(plans.filter((plan) => plan.includes('Enterprise'))).toEqual([]);
  await dialog.getByLabel('Plan').selectOption('Pro (300 a minute, 10,000 a day)');
  await dialog.getByLabel('Email').fill('mia@example.com');
  await dialog.getByText('keys that the account created (0 active)').waitFor();
  await dialog.getByLabel('Reason').fill('upgrade');
  await dialog.getByRole('button', { name: 'Save and change the plan' }).click();
  await page.getByText('Account saved: Acme').waitFor();
  const path = `/v1/accounts/${account.id}`;
  expect(await call('GET', path)).toMatchObject({ plan: 'pro', email: 'mia@example.com', name: 'Acme' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').waitFor();
  expect(await call('GET', path)).toMatchObject({ plan: 'free', email: null, name: 'Acme' });
});

test('after a ban was lifted, no earlier message offers Undo', async () => {
  const { id } = await call('POST', '/v1/keys', { name: 'Lifted', owner: 'acme', plan: 'free' });
  await open.show(`/keys/${id}`);
  await page.getByRole('button', { name: 'Ban…' }).click();
  await page.getByLabel('Reason').fill('a test');
  await page.getByRole('button', { name: 'Ban for 1 hour' }).click();
  await page.getByText('Banned: Lifted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.getByRole('button', { name: 'Lift the ban…' }).click();
  await page.getByLabel('Reason').fill('a mistake');
  await page.getByRole('button', { name: 'Lift the ban', exact: true }).click();
  await page.getByText('Ban lifted: Lifted').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

test('viewers have no buttons to edit keys and accounts', async () => {
  const viewer = await console.open({ token: VIEWER_TOKEN });
  const { id } = await call('POST', '/v1/keys', { name: 'Seen', owner: 'acme', plan: 'free' });
  await viewer.show(`/keys/${id}`);
  await viewer.page.getByRole('heading', { name: 'Seen' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: 'More actions for this key' }).count()).toBe(0);
  await viewer.show('/portal');
  await viewer.page.getByRole('heading', { name: 'Portal' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  await viewer.close();
});
