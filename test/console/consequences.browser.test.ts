import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { waitForCalls } from './support/test-data.ts';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import type { ConsoleUnderTest } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/** Dialogs show which calls a change would cause to be refused, and do not discard input by mistake. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let used: string;
let successor: string;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage({ settings: { demo: false } }));
  const { gateway } = console;
  const create = async (name: string, owner = 'acme') => {
    const body = JSON.stringify({ name, owner, plan: 'free' });
    return (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as { id: string; key: string };
  };
  const plan = { name: 'Tiny', limits: { minute: 1, day: 2 } };
  await gateway.admin('/v1/plans/tiny', { method: 'PUT', body: JSON.stringify(plan) });
  const shadow = { name: 'Watched', limits: { minute: 1, day: 2 }, mode: 'shadow' };
  await gateway.admin('/v1/plans/watched', { method: 'PUT', body: JSON.stringify(shadow) });
  const busy = await create('Busy');
  used = busy.id;
  await create('Idle');
  for (let call = 0; call < 3; call++) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await (await gateway.call('/pets', { key: busy.key })).text();
  }
  await create('Kept', 'leavers');
  const gone = await create('Gone', 'leavers');
  await gateway.admin(`/v1/keys/${gone.id}`, { method: 'DELETE' });
  const rotated = await create('Rotated', 'hooli');
  for (let call = 0; call < 2; call++) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    await (await gateway.call('/pets', { key: rotated.key })).text();
  }
  const path = `/v1/keys/${rotated.id}/rotate`;
  successor = ((await (await gateway.admin(path, { method: 'POST', body: '{}' })).json()) as { id: string }).id;
  await waitForCalls(gateway, 5);
  await until(async () => {
    const key = (await (await gateway.admin(`/v1/keys/${used}`)).json()) as { lastUsedAt: string | null };
    return key.lastUsedAt !== null;
  });
});

afterAll(() => stopAndExpectNoErrors(console, open));

const dialog = () => page.getByRole('dialog');

async function choose(action: string): Promise<void> {
  const button = page.getByRole('button', { name: action, exact: true });
  if (!(await button.isVisible())) await page.getByRole('button', { name: /^More actions for/ }).click();
  await button.or(page.getByRole('menuitem', { name: action, exact: true })).click();
  await dialog().waitFor();
}

test.each(['Ban…', 'Disable…', 'Revoke…'])('the dialog “%s” shows how much the key is used', async (action) => {
  await open.show(`/keys/${used}`);
  await choose(action);
  await dialog().getByText('3 calls in 24 h').waitFor();
  expect(await open.findings()).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

test.each(['Revoke…', 'Disable…', 'Ban…'])(
  'the dialog “%s” counts the calls with the other keys that it affects too',
  async (action) => {
    await open.show(`/keys/${successor}`);
    await choose(action);
    await dialog().getByText('2 calls in 24 h, including those with 1 other key').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  },
);

test.each(['Revoke…', 'Disable…', 'Ban…'])(
  'the dialog “%s” for several keys shows how many of them were used today',
  async (action) => {
    await open.show('/keys?owner=acme');
    await page.getByLabel('Select all loaded rows').check();
    await choose(action);
    await dialog().getByText('2 keys').first().waitFor();
    await dialog()
      .getByText(/, 1 of them used today \(UTC\)\./)
      .waitFor();
    await dialog().getByText('The keys: Idle, Busy').waitFor();
    await page.keyboard.press('Escape');
  },
);

test.each([
  ['Revoke…', 'revoked'],
  ['Disable…', 'disabled'],
])('the dialog “%s” names the keys that a key replaced, if there are any', async (action, done) => {
  const says = (text: string | RegExp) => dialog().getByText(text).waitFor();
  const expectNoText = async (text: RegExp) => expect(await dialog().getByText(text).count()).toBe(0);
  await open.show(`/keys/${successor}`);
  await choose(action);
  await says(new RegExp(`The key that it replaced is ${done} too\\.`));
  await page.keyboard.press('Escape');
  await open.show(`/keys/${used}`);
  await choose(action);
  await says('3 calls in 24 h');
  await expectNoText(/replaced/);
  await page.keyboard.press('Escape');
  await open.show('/keys?owner=hooli');
  await page.getByRole('row', { name: 'Rotated' }).first().getByRole('checkbox').check();
  await choose(action);
  await says('1 key, used today (UTC). The key: Rotated');
  await says(`1 key that it replaced is ${done} too, used today (UTC).`);
  await page.keyboard.press('Escape');
  await open.show('/keys?owner=acme');
  await page.getByLabel('Select all loaded rows').check();
  await choose(action);
  await says('The keys: Idle, Busy');
  await expectNoText(/replaced/);
  await page.keyboard.press('Escape');
});

test('before keys move to a plan, the dialog shows which of them exceeded its limits', async () => {
  await open.show('/keys?owner=acme');
  await page.getByLabel('Select all loaded rows').check();
  await page.getByRole('button', { name: 'Move to a plan…' }).click();
  await dialog().getByLabel('Plan').selectOption({ label: 'Tiny (1 a minute, 2 a day)' });
  await dialog().getByText('2 keys, 1 of them used today (UTC).').waitFor();
  await dialog().getByText('1 of 2 keys exceeded these limits').waitFor();
  await dialog().getByText('1 of 2 keys has already used the 2 requests of today:').waitFor();
  await dialog().getByRole('link', { name: 'Busy' }).waitFor();
  expect(await open.findings()).toEqual([]);
  await dialog().getByLabel('Plan').selectOption('watched');
  await dialog().getByText('it refuses nothing').waitFor();
  await dialog().getByLabel('Plan').selectOption('pro');
  await dialog().getByText('None of the 2 keys has exceeded these limits').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('before keys move to a plan, the dialog shows how many of them are revoked and therefore not counted', async () => {
  await open.show('/keys?owner=leavers');
  await page.getByLabel('Select all loaded rows').check();
  await page.getByRole('button', { name: 'Move to a plan…' }).click();
  await dialog().getByText('2 keys, none of them used today (UTC).').waitFor();
  await dialog().getByLabel('Plan').selectOption('tiny');
  await dialog().getByText('The key has not exceeded these limits').waitFor();
  await dialog().getByText('1 of 2 selected is revoked and not counted.').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('before a rotated key moves to a plan, its use includes that of the key that it replaced', async () => {
  await open.show(`/keys/${successor}`);
  await choose('Move to a plan…');
  await dialog().getByRole('heading', { name: 'Move “Rotated” of hooli to another plan' }).waitFor();
  await dialog().getByText('Its plan is now Free.').waitFor();
  await dialog().getByLabel('Plan').selectOption('tiny');
  await dialog().getByText('The key has already used the 2 requests of today:').waitFor();
  expect(await open.findings()).toEqual([]);
  await dialog().getByLabel('Reason').fill('asked for it');
  await page.keyboard.press('Enter');
  await page.getByText('Moved to Tiny: Rotated').waitFor();
  await dialog().waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await page.getByText('Undone: Rotated').waitFor();
});

test('Escape and a click beside a dialog ask before they discard the entered text', async () => {
  await open.show('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  await dialog().getByLabel('Name').fill('Not to be lost');

  await page.keyboard.press('Escape');
  await question.waitFor();
  expect(await open.findings()).toEqual([]);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  expect(await dialog().getByLabel('Name').inputValue()).toBe('Not to be lost');
  expect(
    await dialog()
      .getByLabel('Name')
      .evaluate((field) => field.matches(':focus')),
  ).toBe(true);

  await page.keyboard.press('Escape');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await page.locator(':focus').inputValue()).toBe('Not to be lost');

  await page.mouse.click(5, 400);
  await question.getByRole('button', { name: 'Discard' }).click();
  await dialog().waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Create a key' }).click();
  await dialog().waitFor();
  expect(await dialog().getByLabel('Name').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
});

test('while a dialog asks whether to discard the entered text, its form cannot be submitted', async () => {
  await open.show(`/keys/${used}`);
  await choose('Revoke…');
  await dialog().getByLabel('Reason').fill('Looked at by mistake');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  await question.waitFor();

  const waitForFocus = (name: string) => question.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
  for (const name of ['Keep editing', 'Discard', 'Keep editing']) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await waitForFocus(name);
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await page.keyboard.press('Tab');
  }
  await waitForFocus('Discard');
  await dialog()
    .getByLabel('Reason')
    .evaluate((field) => field.focus());
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  const key = (await (await console.gateway.admin(`/v1/keys/${used}`)).json()) as { status: string };
  expect(key.status).toBe('active');
});
