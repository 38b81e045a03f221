import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openConsole } from '../console/support/console.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { closeByKeys, fillByKeys, focused, openByKeys, pressButton } from '../support/browser/keyboard.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/**
 * The console's dialogs about accounts and their requests work with the keyboard alone. The other dialogs are in
 * test/console/dialogs.browser.test.ts.
 */
let portal: PortalUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  portal = await startPortalPages();
  open = await openConsole(portal.chromium, portal.gateway, { at: '/portal' });
  ({ page } = open);
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  expect(faults).toEqual([]);
});

interface Case {
  readonly name: string;
  /** Creates the data for the dialog. */
  readonly given: (name: string) => Promise<unknown>;
  /** The controls that open the dialog: a button, and an item of its menu if it has one. */
  readonly press: (name: string) => readonly string[];
  readonly fill?: Readonly<Record<string, string>>;
  /** The text that appears when the change is made. */
  readonly done: (name: string) => string;
}

const Reason = 'by keys alone';
const ofAccount = (item: string) => (name: string) => [`Actions for ${name}`, item];

const CHANGES: readonly Case[] = [
  {
    name: 'create an account',
    given: async () => {},
    press: () => ['Create an account'],
    fill: { Name: 'By keys', Owner: 'by-keys', Email: 'keys@acme.example', Plan: 'Fr', Reason },
    done: () => 'Account created: By keys',
  },
  {
    name: 'create a sign-in link',
    given: account,
    press: ofAccount('Create a sign-in link…'),
    fill: { 'Valid for': '1 h', Reason },
    done: () => 'Send it to the user of this account.',
  },
  {
    name: 'disable an account',
    given: account,
    press: ofAccount('Disable…'),
    fill: { Reason },
    done: (name) => `Disabled: ${name}`,
  },
  {
    name: 'enable an account',
    given: async (name) => portal.admin('PATCH', `/v1/accounts/${await account(name)}`, { status: 'disabled' }),
    press: ofAccount('Enable…'),
    fill: { Reason },
    done: (name) => `Enabled: ${name}`,
  },
  {
    name: 'delete an account',
    given: account,
    press: ofAccount('Delete…'),
    fill: { Reason },
    done: (name) => `Account deleted: ${name}`,
  },
  {
    name: 'approve a request',
    given: request,
    press: () => ['Approve…'],
    fill: { 'Message to': Reason },
    done: (name) => `Approved: ${name}`,
  },
  {
    name: 'decline a request',
    given: request,
    press: () => ['Decline…'],
    fill: { 'Message to': Reason },
    done: (name) => `Declined: ${name}`,
  },
];

test.each(CHANGES)(
  'the dialog to $name can be opened, closed and submitted from the keyboard',
  async ({ name, given, press, fill = {}, done }) => {
    const about = `Who will ${name}, ${Math.random()}`;
    await given(about);
    await page.reload();
    await openByKeys(page, press(about));
    expect(await findVisualProblems(open)).toEqual([]);
    await closeByKeys(page);
    expect(await focused(page)).toBe(press(about)[0]);

    await openByKeys(page, press(about));
    await fillByKeys(page, fill);
    await page.keyboard.press('Enter');
    await page.getByText(done(about)).first().waitFor();
    await until(async () => (await focused(page)) !== 'nothing');
  },
);

test('the dialog with a sign-in link asks before it closes, copies the link, and returns the focus', async () => {
  await account('Of a link');
  await page.reload();
  await openByKeys(page, ofAccount('Create a sign-in link…')('Of a link'));
  await pressButton(page, 'Create the link');
  await page.getByRole('dialog', { name: 'Sign-in link', exact: true }).waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('You have not copied it.').waitFor();
  await pressButton(page, 'Back');
  await pressButton(page, 'Copy the link');
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('#token=once_');
  await pressButton(page, 'Done');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const opener = 'Actions for Of a link';
  await until(async () => (await focused(page)) === opener);
});

/**
 * Creates an account.
 *
 * @returns the id of the account
 */
function account(name: string): Promise<string> {
  return portal.account(`owner of ${name}`, { name });
}

/** Creates an open plan request. */
async function request(name: string): Promise<void> {
  const browser = await portal.signInAs(await account(name));
  await browser.post('/api/plan-requests', { plan: 'pro' });
}
