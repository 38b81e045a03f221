import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import * as keyboard from '../support/browser/keyboard.ts';
import { fillByKeys, focused, pressButton, tabTo } from '../support/browser/keyboard.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import type { ConsoleUnderTest } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/**
 * Every dialog and menu works with the keyboard alone: Tab reaches it, Enter opens and submits it, and Escape closes it
 * and returns the focus. It has no visual problems in light, in dark or on a phone.
 */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage());
});

afterAll(() => stopAndExpectNoErrors(console, open));

interface Case {
  readonly name: string;
  /** Creates the data for the dialog, and returns the screen that opens it. */
  readonly from: () => string | Promise<string>;
  /** The controls that open the dialog: a button, and an item of its menu if it has one. */
  readonly press: readonly string[];
  readonly fill: Readonly<Record<string, string>>;
  /** The text that appears when the change is made. */
  readonly done: string;
}

const MORE = 'More actions for this key';
const MORE_OF_WEBHOOK = 'More actions for this webhook';
const [Reason, Message] = ['by keys alone', 'Please slow down.'];
let copies = 0;

const CHANGES: readonly Case[] = [
  {
    name: 'create a key',
    from: () => '/keys',
    press: ['Create a key'],
    fill: { Name: 'By keys', Owner: 'acme', Plan: 'Fr', Reason },
    done: 'This is shown only once.',
  },
  {
    name: 'ban',
    from: keyScreen,
    press: ['Ban…'],
    fill: { Duration: '1 d', Reason, Message },
    done: 'Banned: Of dialogs',
  },
  {
    name: 'lift a ban',
    from: bannedScreen,
    press: ['Lift the ban…'],
    fill: { Reason, Message },
    done: 'Ban lifted: Of dialogs',
  },
  { name: 'disable', from: keyScreen, press: [MORE, 'Disable…'], fill: { Reason }, done: 'Disabled: Of dialogs' },
  { name: 'enable', from: disabledScreen, press: ['Enable…'], fill: { Reason }, done: 'Enabled: Of dialogs' },
  { name: 'rotate', from: keyScreen, press: ['Rotate…'], fill: { Reason }, done: 'This is shown only once.' },
  {
    name: 'move to a plan',
    from: keyScreen,
    press: [MORE, 'Move to a plan…'],
    fill: { Plan: 'Pro', Reason },
    done: 'Moved to Pro: Of dialogs',
  },
  {
    name: 'edit a key',
    from: keyScreen,
    press: ['Edit…'],
    fill: { Name: 'Edited by keys', Reason },
    done: 'Key saved: Of dialogs',
  },
  {
    name: 'edit an account',
    from: accountsScreen,
    press: ['Actions for Of dialogs', 'Edit…'],
    fill: { Email: 'by-keys@example.com', Reason },
    done: 'Account saved: Of dialogs',
  },
  {
    name: 'restrict a key',
    from: keyScreen,
    press: [MORE, 'Restrict…'],
    fill: { Addresses: '203.0.113.0/24, 127.0.0.1', 'Requests at once': '5', Reason },
    done: 'Restrictions saved: Of dialogs',
  },
  {
    name: 'reset usage',
    from: keyScreen,
    press: [MORE, 'Reset usage…'],
    fill: { Reason },
    done: 'Usage reset: Of dialogs',
  },
  { name: 'revoke', from: keyScreen, press: [MORE, 'Revoke…'], fill: { Reason }, done: 'Revoked: Of dialogs' },
  {
    name: 'create a plan',
    from: () => '/plans',
    press: ['Create a plan'],
    fill: {
      Id: 'by-keys',
      Name: 'By keys',
      'Requests per minute': '10',
      'Per day': '100',
      'Requests at once': '3',
      'Per month': '1000',
      Reason,
    },
    done: 'Plan created: By keys',
  },
  {
    name: 'edit a plan',
    from: planScreen,
    press: ['Edit…'],
    fill: { 'Requests per minute': '11', Reason },
    done: 'Plan saved: Of dialogs',
  },
  {
    name: 'delete a plan',
    from: planScreen,
    press: ['More actions for this plan', 'Delete…'],
    fill: { Reason },
    done: 'Plan deleted: Of dialogs',
  },
  {
    name: 'create a webhook',
    from: () => '/webhooks',
    press: ['Create a webhook'],
    fill: { URL: 'http://127.0.0.1:1/by-keys', Description: 'By keys', Reason },
    done: 'This is shown only once.',
  },
  {
    name: 'edit a webhook',
    from: () => webhookScreen(),
    press: ['Edit…'],
    fill: { Description: 'By keys', Reason },
    done: 'Webhook saved: Of dialogs',
  },
  {
    name: 'disable a webhook',
    from: () => webhookScreen(),
    press: ['Disable…'],
    fill: { Reason },
    done: 'Disabled: Of dialogs',
  },
  {
    name: 'enable a webhook',
    from: () => webhookScreen('disabled'),
    press: ['Enable…'],
    fill: { Reason },
    done: 'Enabled: Of dialogs',
  },
  {
    name: 'rotate the secret of a webhook',
    from: () => webhookScreen(),
    press: [MORE_OF_WEBHOOK, 'Rotate the secret…'],
    fill: { 'Old secret': '1 h', Reason },
    done: 'This is shown only once.',
  },
  {
    name: 'delete a webhook',
    from: () => webhookScreen(),
    press: [MORE_OF_WEBHOOK, 'Delete…'],
    fill: { Reason },
    done: 'Webhook deleted: Of dialogs',
  },
  {
    name: 'end a session',
    from: sessionsScreen,
    press: ['End the session of admin'],
    fill: { Reason },
    done: 'Session ended: admin',
  },
];

test.each(CHANGES)(
  'the dialog to $name can be opened, closed and submitted from the keyboard',
  async ({ from, press, fill, done }) => {
    await open.show(await from());
    await openByKeys(press);
    expect(await findVisualProblems(open)).toEqual([]);
    await closeByKeys();
    expect(await focused(page)).toBe(press[0]);

    await openByKeys(press);
    await fillByKeys(page, fill);
    await page.keyboard.press('Enter');
    await page.getByText(done).first().waitFor();
    await until(async () => (await focused(page)) !== 'nothing');
  },
);

test('the operations of a key can be selected by id, path or tag', async () => {
  await open.show(await keyScreen());
  await openByKeys([MORE, 'Restrict…']);
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('radio', { name: 'All operations' }));
  await page.keyboard.press('ArrowDown');
  const search = dialog.getByRole('combobox', { name: 'Search the operations' });
  await tabTo(page, search);
  for (const [text, found] of [
    ['getpet', 'GET /pets/{petId}'],
    ['orders', 'tag:orders'],
  ] as const) {
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
    await dialog.getByRole('option', { name: found }).first().waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('option', { name: found, selected: true }).first().waitFor();
  }
  await dialog.getByText('Includes 6 of 18 operations.').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await fillByKeys(page, { Reason });
  await page.keyboard.press('Enter');
  await page.getByText('Restrictions saved: Of dialogs').first().waitFor();
  await page.getByText('getPet, tag:orders').first().waitFor();
});

test('the dialog with the secret of a key keeps the focus and asks before it closes if the secret was not copied', async () => {
  await page
    .getByRole('dialog')
    .count()
    .then((count) => (count > 0 ? open.show('/plans') : undefined));
  await open.show('/keys');
  await openByKeys(['Create a key']);
  await fillByKeys(page, { Name: 'Of a secret', Owner: 'acme' });
  // The button is enabled once the plan of the owner has been found.
  await until(() => page.getByRole('button', { name: 'Create the key' }).isEnabled());
  await page.keyboard.press('Enter');
  await page.getByText('This is shown only once.').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied it').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  // Pressing Escape twice must not lose the secret.
  await page.keyboard.press('Escape');
  await page.getByText('This is shown only once.').waitFor();
  await pressButton(page, 'Close without copying');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await until(async () => (await focused(page)) === 'Create a key');
});

test.each([
  { name: 'ban', press: 'Ban…', fill: { Reason, Message }, done: 'Banned: 1 key' },
  { name: 'disable', press: 'Disable…', fill: { Reason }, done: 'Disabled: 1 key' },
  { name: 'move', press: 'Move to a plan…', fill: { Plan: 'Pro', Reason }, done: 'Moved to Pro: Of many 3' },
])(
  'the dialog to $name several keys can be opened, closed and submitted from the keyboard',
  async ({ press, fill, done }) => {
    const name = `Of many ${String(++copies)}`;
    await createKey(name);
    // Open a list that is not cached, so that it contains the new key.
    await open.show(`/keys?q=${encodeURIComponent(name)}`);
    await tabTo(page, page.getByRole('checkbox', { name: `Select ${name}` }));
    await page.keyboard.press('Space');
    await openByKeys([press]);
    expect(await findVisualProblems(open)).toEqual([]);
    await closeByKeys();
    expect(await focused(page)).toBe(press);
    await openByKeys([press]);
    await fillByKeys(page, fill);
    await page.keyboard.press('Enter');
    await page.getByText(done).first().waitFor();
    await until(async () => (await focused(page)) !== 'nothing');
  },
);

test.each([
  { name: 'search', keys: '/' },
  { name: 'shortcuts', keys: '?' },
])('the dialog “$name” can be opened and closed from the keyboard', async ({ keys }) => {
  await open.show('/plans');
  await page.keyboard.press(keys);
  await page.getByRole('dialog').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys();
});

test('the search has no visual problems with results, and can be closed from the keyboard', async () => {
  await open.show('/plans');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('pets');
  await page.getByRole('option').first().waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys();
});

test.each([
  { name: 'the account', button: 'admin', at: () => '/plans' },
  { name: 'a key', button: MORE, at: keyScreen },
])('the menu of $name can be opened and closed from the keyboard', async ({ button, at }) => {
  await open.show(await at());
  await pressButton(page, button);
  await page.getByRole('menu').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe(button);
});

test('the event types of a webhook can be selected from the keyboard', async () => {
  await open.show('/webhooks');
  await openByKeys(['Create a webhook']);
  await fillByKeys(page, { URL: 'http://127.0.0.1:1/some' });
  await tabTo(page, page.getByRole('radio', { name: 'All events' }));
  await page.keyboard.press('ArrowDown');
  await page.getByText('choose at least one', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Create the webhook' }).isDisabled()).toBe(true);
  await tabTo(page, page.getByRole('checkbox', { name: /^key\.banned/ }));
  await page.keyboard.press('Space');
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('This is shown only once.').waitFor();
  const { items } = (await (await console.gateway.admin('/v1/webhooks?limit=1')).json()) as { items: object[] };
  expect(items).toMatchObject([{ url: 'http://127.0.0.1:1/some', types: ['key.banned'] }]);
});

test('a test event can be sent from the keyboard, and its delivery can be repeated', async () => {
  await open.show(await webhookScreen());
  await pressButton(page, 'Send a test event');
  await page.getByText('Not delivered.').waitFor();
  await page.getByText('The connection was refused.').waitFor();
  // Tab may have scrolled a control below the top bar, so that axe would report the control as too small.
  await page.evaluate('scrollTo(0, 0)');
  expect(await findVisualProblems(open)).toEqual([]);
  await openByKeys(['webhook.test']);
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys();
  expect(await focused(page)).toBe('webhook.test');
  await openByKeys(['webhook.test']);
  await pressButton(page, 'Send again');
  await page.getByText('Attempt 2').waitFor();
  // The button stays busy until the response is shown.
  await page.getByRole('button', { name: 'Send again' }).waitFor();
  expect(await page.getByRole('article', { name: 'Attempt 2' }).count()).toBe(1);
  await closeByKeys();
});

test('an event can be opened from the keyboard and shows its content', async () => {
  const id = await createKey('Of an event');
  await open.show(`/events?subject=${id}`);
  await openByKeys(['key.created']);
  await page.getByText('"name": "Of an event"').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys();
  expect(await focused(page)).toBe('key.created');
});

test('the navigation on a phone can be opened and closed from the keyboard', async () => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open.show('/plans');
  await openByKeys(['Open the navigation']);
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys();
  expect(await focused(page)).toBe('Open the navigation');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the sign-in page has no visual problems and reports a rejected token', async () => {
  const other = await console.open({ token: null });
  await other.page.getByLabel('Admin token').waitFor();
  expect(await findVisualProblems(other)).toEqual([]);
  await other.page.keyboard.type('not-a-token');
  await other.page.keyboard.press('Enter');
  await other.page.getByText('This token is not valid here').waitFor();
  expect(await findVisualProblems(other)).toEqual([]);
  expect(await other.pageErrors()).toEqual([]);
  await other.close();
});

const openByKeys = (press: readonly string[]) => keyboard.openByKeys(page, press);
const closeByKeys = () => keyboard.closeByKeys(page);

/**
 * Creates a key.
 *
 * @returns the id of the key
 */
async function createKey(name: string): Promise<string> {
  const body = JSON.stringify({ name, owner: 'acme', plan: 'free' });
  const response = await console.gateway.admin('/v1/keys', { method: 'POST', body });
  return ((await response.json()) as { id: string }).id;
}

async function keyScreen(): Promise<string> {
  return `/keys/${await createKey('Of dialogs')}`;
}

async function bannedScreen(): Promise<string> {
  const id = await createKey('Of dialogs');
  const body = JSON.stringify({ seconds: 3600, reason: 'a test' });
  await console.gateway.admin(`/v1/keys/${id}/ban`, { method: 'PUT', body });
  return `/keys/${id}`;
}

async function disabledScreen(): Promise<string> {
  const id = await createKey('Of dialogs');
  const body = JSON.stringify({ status: 'disabled' });
  await console.gateway.admin(`/v1/keys/${id}`, { method: 'PATCH', body, headers: { 'X-Change-Reason': 'a test' } });
  return `/keys/${id}`;
}

async function planScreen(): Promise<string> {
  const limits = { minute: 10, day: 100 };
  const body = JSON.stringify({ name: 'Of dialogs', description: '', limits });
  await console.gateway.admin('/v1/plans/of-dialogs', { method: 'PUT', body });
  return '/plans/of-dialogs';
}

async function accountsScreen(): Promise<string> {
  const body = JSON.stringify({ name: 'Of dialogs', owner: 'of-dialogs', email: null, plan: 'free' });
  await console.gateway.admin('/v1/accounts', { method: 'POST', body });
  return '/portal';
}

/** Creates a webhook and returns its screen. Nothing listens at its URL, so deliveries fail immediately. */
async function webhookScreen(status = 'enabled'): Promise<string> {
  const body = JSON.stringify({ url: 'http://127.0.0.1:1/', description: 'Of dialogs', types: ['store.degraded'] });
  const response = await console.gateway.admin('/v1/webhooks', { method: 'POST', body });
  const { id } = (await response.json()) as { id: string };
  await console.gateway.admin(`/v1/webhooks/${id}`, { method: 'PATCH', body: JSON.stringify({ status }) });
  return `/webhooks/${id}`;
}

/** Signs in with another browser and closes it, so that the newest session is not the current one. */
async function sessionsScreen(): Promise<string> {
  const other = await console.open();
  await other.close();
  return '/system';
}
