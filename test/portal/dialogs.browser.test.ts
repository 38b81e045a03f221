import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type BrowserPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import { closeByKeys, fillByKeys, focused, openByKeys, pressButton, tabTo } from '../support/browser/keyboard.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import type { PortalBrowser } from '../support/gateway/portal.ts';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/**
 * Every dialog of the portal works with the keyboard alone: Tab reaches it, Enter opens it, its button submits it, and
 * Escape closes it and returns the focus. It has no visual problems in light, in dark or on a phone.
 */
let portal: PortalUnderTest;
let accountId: string;
let consumer: PortalBrowser;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  portal = await startPortalPages({ settings: { events: { allowPrivate: true } } });
  accountId = await portal.account('acme', { name: 'Acme Ltd.' });
  consumer = await portal.signInAs(accountId);
  open = await portal.openAs(accountId);
  ({ page } = open);
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  expect(faults).toEqual([]);
});

/** Cleans up before each test, because keys, webhooks and open requests per account are limited. */
beforeEach(async () => {
  for (const { id, status } of (await consumer.get('/api/plan-requests')).body.items) {
    if (status === 'open') await consumer.call('DELETE', `/api/plan-requests/${id}`);
  }
  for (const { id } of (await consumer.get('/api/keys?status=active')).body.items) {
    await consumer.post(`/api/keys/${id}/revoke`, {});
  }
  for (const { id } of (await consumer.get('/api/webhooks')).body.items) {
    await consumer.call('DELETE', `/api/webhooks/${id}`);
  }
});

interface Case {
  readonly name: string;
  /** Creates the data for the dialog, and returns the page that opens it. */
  readonly from: () => string | Promise<string>;
  /** The controls that open the dialog: a button, and an item of its menu if it has one. */
  readonly press: readonly string[];
  readonly fill?: Readonly<Record<string, string>>;
  /** The name of the submit button. */
  readonly submit: string;
  /** The text that appears when the change is made. */
  readonly done: string;
}

const OF_KEY = 'Actions for Of dialogs';
const OF_WEBHOOK = 'More actions for this webhook';

const CHANGES: readonly Case[] = [
  {
    name: 'create a key',
    from: () => '/keys',
    press: ['Create a key'],
    fill: { Name: 'By keys' },
    submit: 'Create the key',
    done: 'This is shown only once.',
  },
  {
    name: 'rename a key',
    from: keyScreen,
    press: [OF_KEY, 'Rename…'],
    fill: { Name: 'By keys alone' },
    submit: 'Rename',
    done: 'By keys alone',
  },
  {
    name: 'choose the addresses of a key',
    from: keyScreen,
    press: [OF_KEY, 'Allowed addresses…'],
    fill: { Addresses: '203.0.113.0/24, 127.0.0.1' },
    submit: 'Save',
    done: 'Only from 203.0.113.0/24, 127.0.0.1',
  },
  {
    name: 'rotate a key',
    from: keyScreen,
    press: [OF_KEY, 'Rotate the key…'],
    fill: { 'Old secret': '1 h' },
    submit: 'Rotate',
    done: 'This is shown only once.',
  },
  { name: 'revoke a key', from: keyScreen, press: [OF_KEY, 'Revoke…'], submit: 'Revoke permanently', done: 'Revoked' },
  {
    name: 'request a plan',
    from: () => '/plans',
    press: ['Request Pro…'],
    fill: { Message: 'By keys' },
    submit: 'Send the request',
    done: 'Waiting for a decision',
  },
  {
    name: 'add a webhook',
    from: () => '/webhooks',
    press: ['Add a webhook'],
    fill: { URL: 'http://127.0.0.1:1/by-keys', Description: 'By keys' },
    submit: 'Add the webhook',
    done: 'This is shown only once.',
  },
  {
    name: 'edit a webhook',
    from: () => webhookScreen(),
    press: ['Edit…'],
    fill: { Description: 'By keys' },
    submit: 'Save',
    done: 'Webhook saved',
  },
  {
    name: 'disable a webhook',
    from: () => webhookScreen(),
    press: ['Disable…'],
    submit: 'Disable',
    done: 'Webhook disabled',
  },
  {
    name: 'enable a webhook',
    from: () => webhookScreen('disabled'),
    press: ['Enable…'],
    submit: 'Enable',
    done: 'Webhook enabled',
  },
  {
    name: 'rotate the secret of a webhook',
    from: () => webhookScreen(),
    press: [OF_WEBHOOK, 'Rotate the secret…'],
    fill: { 'Old secret': '1 h' },
    submit: 'Rotate',
    done: 'This is shown only once.',
  },
  {
    name: 'delete a webhook',
    from: () => webhookScreen(),
    press: [OF_WEBHOOK, 'Delete…'],
    submit: 'Delete permanently',
    done: 'No webhooks yet',
  },
  {
    name: 'rename the account',
    from: () => '/account',
    press: ['Rename…'],
    fill: { Name: 'Acme by keys' },
    submit: 'Rename',
    done: 'Acme by keys',
  },
];

test.each(CHANGES)(
  'the dialog to $name can be opened, closed and submitted from the keyboard',
  async ({ from, press, fill = {}, submit, done }) => {
    await show(await from());
    await openByKeys(page, press);
    expect(await findVisualProblems(open)).toEqual([]);
    await closeByKeys(page);
    expect(await focused(page)).toBe(press[0]);

    await openByKeys(page, press);
    await fillByKeys(page, fill);
    await pressButton(page, submit);
    await page.getByText(done).filter({ visible: true }).first().waitFor();
    await until(async () => (await focused(page)) !== 'nothing');
  },
);

test('the dialog with the secret of a webhook keeps the focus and asks before it closes if the secret was not copied', async () => {
  await show('/webhooks');
  await openByKeys(page, ['Add a webhook']);
  await fillByKeys(page, { URL: 'http://127.0.0.1:1/of-a-secret' });
  await page.keyboard.press('Enter');
  await page.getByText('This is shown only once.').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  // Pressing Escape twice must not lose the secret.
  for (const _ of [1, 2]) {
    await page.keyboard.press('Escape');
    await page.getByText('This is shown only once.').waitFor();
  }
  await page.getByText('You have not copied it').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await pressButton(page, 'Close without copying');
  await page.getByText('No events sent yet.').waitFor();
  await until(async () => (await focused(page)) !== 'nothing');
});

test.each([
  ['key', keyScreen, [OF_KEY, 'Rotate the key…']],
  ['webhook', webhookScreen, [OF_WEBHOOK, 'Rotate the secret…']],
] as const)(
  'the button to rotate the secret of a %s is red if the old one ends immediately',
  async (_, from, press) => {
    await show(await from());
    await openByKeys(page, press);
    const rotate = page.getByRole('button', { name: 'Rotate', exact: true });
    const color = () =>
      rotate.evaluate((button) => button.ownerDocument.defaultView!.getComputedStyle(button).backgroundColor);
    const usual = await color();
    await page.getByLabel('Old secret stays valid for').selectOption('not at all (it leaked)');
    await until(async () => (await color()) !== usual);
    expect(await rotate.getAttribute('class')).toMatch(/danger/);
    await closeByKeys(page);
  },
);

test('on a phone, a dialog is placed below a message', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await show(await webhookScreen());
  await openByKeys(page, ['Edit…']);
  await fillByKeys(page, { Description: 'On a phone' });
  await pressButton(page, 'Save');
  const toast = page.getByText('Webhook saved');
  await toast.waitFor();
  await openByKeys(page, [OF_WEBHOOK, 'Rotate the secret…']);
  const title = page.getByRole('heading', { name: 'Rotate the secret' });
  const measureBottom = async () => {
    const box = await toast.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  expect(await measureBottom()).toBeGreaterThan(0);
  expect((await title.boundingBox())?.y).toBeGreaterThan(await measureBottom());
  await closeByKeys(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the event types of a webhook can be selected from the keyboard', async () => {
  await show('/webhooks');
  await openByKeys(page, ['Add a webhook']);
  await fillByKeys(page, { URL: 'http://127.0.0.1:1/some' });
  await tabTo(page, page.getByRole('radio', { name: 'All events' }));
  await page.keyboard.press('ArrowDown');
  await page.getByText('choose at least one').waitFor();
  expect(await page.getByRole('button', { name: 'Add the webhook' }).isDisabled()).toBe(true);
  await tabTo(page, page.getByRole('checkbox', { name: /^key\.banned/ }));
  await page.keyboard.press('Space');
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('This is shown only once.').waitFor();
  const { items } = (await consumer.get('/api/webhooks')).body;
  expect(items).toMatchObject([{ url: 'http://127.0.0.1:1/some', types: ['key.banned'] }]);
});

test('a test event can be sent from the keyboard, and its delivery can be repeated', async () => {
  await show(await webhookScreen());
  await pressButton(page, 'Send a test event');
  await page.getByText('Not delivered.').waitFor();
  // Tab may have scrolled a control below the top bar, so that axe would report the control as too small.
  await page.evaluate('scrollTo(0, 0)');
  expect(await findVisualProblems(open)).toEqual([]);
  await openByKeys(page, ['webhook.test']);
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys(page);
  expect(await focused(page)).toBe('webhook.test');
  await openByKeys(page, ['webhook.test']);
  await pressButton(page, 'Send again');
  await page.getByText('Attempt 2').waitFor();
  // The button stays busy until the response is shown.
  await page.getByRole('button', { name: 'Send again' }).waitFor();
  expect(await page.getByRole('article', { name: 'Attempt 2' }).count()).toBe(1);
  await closeByKeys(page);
});

test('a plan request can be withdrawn from the keyboard', async () => {
  await consumer.post('/api/plan-requests', { plan: 'pro' });
  await show('/plans');
  await pressButton(page, 'Withdraw the request');
  await page.getByRole('button', { name: 'Request Pro…' }).waitFor();
  await until(async () => (await focused(page)) !== 'nothing');
});

test('the focus is not lost if the pressed button disappears late', async () => {
  await show('/plans');
  await openByKeys(page, ['Request Pro…']);
  const response = Promise.withResolvers<void>();
  await page.route(/\/api\/plan-requests/, async (route) => {
    if (route.request().method() === 'GET') await response.promise;
    await route.continue();
  });
  await pressButton(page, 'Send the request');
  await until(async () => (await focused(page)) === 'Request Pro…');
  // Wait until the timer has ended that the page set when the dialog closed.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
  response.resolve();
  await page.getByRole('button', { name: 'Withdraw the request' }).waitFor();
  await until(async () => (await focused(page)) !== 'nothing');
  await page.unrouteAll();
});

test('a session in another browser can be ended from the keyboard', async () => {
  const json = { token: await portal.link(accountId) };
  await portal.browser().call('POST', '/api/session', { json, headers: { 'User-Agent': 'Elsewhere' } });
  await show('/account');
  await pressButton(page, 'Sign out Elsewhere');
  await page.getByRole('button', { name: 'Sign out Elsewhere' }).waitFor({ state: 'detached' });
  await until(async () => (await focused(page)) !== 'nothing');
});

test('the search can be opened from the keyboard, and has no visual problems with results', async () => {
  await show('/overview');
  await page.keyboard.press('/');
  await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Characters typed before the field has the focus must not be lost.
  await page.keyboard.type('/quota_exc');
  await page.getByRole('option', { name: /quota_exceeded/ }).waitFor();
  expect(await page.getByRole('combobox').inputValue()).toBe('quota_exc');
  expect(await findVisualProblems(open)).toEqual([]);
  await page.getByRole('combobox').fill('webhooks');
  await page.getByRole('option').first().waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the account menu can be opened and closed from the keyboard', async () => {
  await show('/overview');
  const { name } = (await consumer.get('/api/account')).body;
  await pressButton(page, name);
  await page.getByRole('menu').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe(name);
});

test('the navigation on a phone can be opened and closed from the keyboard', async () => {
  // Axe mistakes links below the edge of the viewport for skip links, so make the viewport high enough.
  await page.setViewportSize({ width: 320, height: 1000 });
  await show('/overview');
  await openByKeys(page, ['Open the navigation']);
  expect(await findVisualProblems(open)).toEqual([]);
  await closeByKeys(page);
  expect(await focused(page)).toBe('Open the navigation');
  await page.setViewportSize({ width: 1280, height: 800 });
});

/** Opens a page without cached data. */
async function show(at: string): Promise<void> {
  await page.goto(portal.gateway.portalUrl + at);
  await waitUntilSettled(page);
}

async function keyScreen(): Promise<string> {
  await consumer.post('/api/keys', { name: 'Of dialogs' });
  return '/keys';
}

/** Creates a webhook and returns its page. Nothing listens at its URL, so deliveries fail immediately. */
async function webhookScreen(status?: 'disabled'): Promise<string> {
  const given = { url: 'http://127.0.0.1:1/', description: 'Of dialogs', types: ['key.expiring'] };
  const { id } = (await consumer.post('/api/webhooks', given)).body;
  if (status !== undefined) await consumer.call('PATCH', `/api/webhooks/${id}`, { json: { status } });
  return `/webhooks/${id}`;
}
