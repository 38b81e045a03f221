/** The public pages work without a session. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BrowserPage, openPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import { measureScripts } from '../support/browser/script-bytes.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import { startPrefixProxy } from '../support/gateway/prefix-proxy.ts';
import { openConsole } from '../console/support/console.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

let portal: PortalUnderTest;
let visitor: BrowserPage;
beforeAll(async () => {
  portal = await startPortalPages({
    settings: {
      portal: { public: true, signUp: 'request', title: `Acme's "API" <b>`, contact: 'mailto:api@acme.example' },
    },
  });
  visitor = await portal.open('/');
});
afterAll(() => portal.stop());

const OPERATION = '/reference/createPet';
const SCREENS = [
  '/',
  '/access',
  '/plans',
  '/reference',
  OPERATION,
  '/reference/nothing',
  '/events',
  '/events/pet.created',
  '/docs/getting-started',
  '/docs/limits',
  '/docs/errors',
  '/no-page',
  '/sign-in',
];

test.each(SCREENS)('the page %s has no errors or accessibility problems, and fits a phone', async (address) => {
  await visitor.show(address);
  expect(await visitor.pageErrors()).toEqual([]);
  expect(await findVisualProblems(visitor)).toEqual([]);
});

test('the introduction has one link to get access, the plans before the services, and an example response', async () => {
  const open = await portal.open('/');
  const { page } = open;
  await waitUntilSettled(page);
  expect(await page.getByRole('link', { name: /access/ }).count()).toBe(1);
  const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(titles.indexOf('Plans')).toBeLessThan(titles.indexOf('What it offers'));
  expect(titles.indexOf('Plans')).toBeGreaterThan(0);
  const { firstCall } = (await (await fetch(`${portal.gateway.portalUrl}/api/public/front`)).json()) as {
    firstCall: { response: { body: string } };
  };
  expect(await page.getByRole('group', { name: 'Example response' }).textContent()).toBe(firstCall.response.body);
  await open.close();
});

test('a guide lists its headings beside the text in a wide window, and each link leads to one', async () => {
  const open = await portal.open('/docs/limits');
  const { page } = open;
  await page.setViewportSize({ width: 1440, height: 900 });
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'Retries', exact: true }).click();
  await page.waitForURL('**/docs/limits#retries');
  for (const link of await contents.getByRole('link').all()) {
    // oxlint-disable-next-line no-await-in-loop -- each link is compared with its own heading
    const [, id = ''] = ((await link.getAttribute('href')) ?? '').split('#');
    // oxlint-disable-next-line no-await-in-loop
    expect(await page.locator(`[id="${decodeURIComponent(id)}"]`).count()).toBe(1);
  }
  expect(await open.findings()).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await contents.isVisible()).toBe(false);
  await open.close();
});

test('code in a guide is coloured, and code and tables use the room that lines of text leave', async () => {
  const open = await portal.open('/docs/authentication');
  const { page } = open;
  await page.setViewportSize({ width: 1440, height: 900 });
  const code = page.getByRole('group', { name: 'Code' }).first();
  await code.locator('[class*="string"]').first().waitFor();
  const [codeBox, textBox] = await Promise.all([
    code.boundingBox(),
    page.locator('main section p, main p').last().boundingBox(),
  ]);
  expect(codeBox?.width).toBeGreaterThan(800);
  expect(textBox?.width).toBeLessThanOrEqual(760);
  expect(await open.findings()).toEqual([]);
  await open.show('/docs/getting-started');
  const note = page.getByText('Set your key first');
  const [noteBox, sampleBox] = await Promise.all([
    note.boundingBox(),
    page.getByRole('group', { name: 'curl sample' }).boundingBox(),
  ]);
  expect(noteBox?.width).toBe(sampleBox?.width);
  await open.close();
});

test('a path parameter that a sample lacks leads a visitor to where a key is entered', async () => {
  const open = await portal.open('/reference/deletePet');
  const { page } = open;
  await page.getByRole('link', { name: '{petId}' }).click();
  await page.getByRole('region', { name: 'Try it' }).getByLabel('API key').waitFor();
  await page.waitForURL('**/reference/deletePet?at=try');
  expect(await findVisualProblems(open)).toEqual([]);
  await open.close();
});

test('a visitor can read an operation and its code samples', async () => {
  const { page } = await portal.open('/reference/createPet');
  await waitUntilSettled(page);
  await page.getByRole('heading', { name: 'Create a pet' }).waitFor();
  await page.getByText('curl').first().waitFor();
  expect(await page.getByRole('heading', { name: 'Try it' }).count()).toBe(0);
  await page.getByRole('tab', { name: '429' }).click();
  await page.getByLabel('Example of 429').getByText('"rate_limit_exceeded"').waitFor();
  expect(await page.title()).toContain('Create a pet');
  await page.context().close();
});

test('a visitor can try an operation with a key, and can get access or sign in from there', async () => {
  const open = await portal.open('/reference/createPet');
  const { page } = open;
  await page.getByRole('link', { name: 'Try it' }).click();
  const form = page.getByRole('region', { name: 'Try it' });
  await form.getByLabel('API key').waitFor();
  expect(await open.findings()).toEqual([]);
  expect(await form.getByRole('link', { name: 'Get access' }).getAttribute('href')).toBe('/access');
  expect(await form.getByRole('link', { name: 'sign in' }).getAttribute('href')).toBe('/sign-in?operation=createPet');
  await form.getByLabel('API key').fill(portal.gateway.demoKey);
  await form.getByRole('button', { name: 'Sign in with this key' }).click();
  await form.getByRole('button', { name: 'Send POST' }).click();
  await form.getByText('201').first().waitFor();
  expect(page.url()).toContain('/reference/createPet?at=try');
  await open.close();
});

test('a sign-in that began at an operation leads back to the form of the operation', async () => {
  const open = await portal.open('/sign-in?operation=createPet');
  await open.page.getByLabel('API key').fill(portal.gateway.demoKey);
  await open.page.getByRole('button', { name: 'Sign in with this key' }).click();
  await open.page.waitForURL('**/reference/createPet?at=try');
  await open.page.getByRole('heading', { name: 'Try it' }).waitFor();
  await open.close();
});

test('the address /docs leads to the first guide', async () => {
  await visitor.page.goto(`${portal.gateway.portalUrl}/docs`);
  await visitor.page.waitForURL('**/docs/getting-started');
});

test('a guide that cannot be loaded shows an error and no numbers', async () => {
  const open = await portal.open('/docs/errors');
  const { page } = open;
  await page.route('**/api/public/guides', (route) => route.fulfill({ status: 400, json: { message: 'Broken.' } }));
  await page.goto(`${portal.gateway.portalUrl}/docs/limits`);
  await page.getByText('Could not load the guide').waitFor();
  expect(await page.getByRole('main').textContent()).not.toMatch(/seconds|strikes/);
  await page.unroute('**/api/public/guides');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('cell', { name: 'length of a ban' }).waitFor();
  await page.context().close();
});

test('public pages send no request that needs a session, except to check for one', async () => {
  const open = await portal.open('/');
  const refused: string[] = [];
  open.page.on('response', (response) => {
    if (response.status() === 401) refused.push(new URL(response.url()).pathname);
  });
  for (const address of SCREENS) {
    // oxlint-disable-next-line no-await-in-loop -- the same page shows one address after the other
    await open.show(address);
  }
  expect(refused.filter((path) => path !== '/api/session')).toEqual([]);
  await open.close();
});

test('an unknown address shows an error, and does not ask for a sign-in', async () => {
  await visitor.show('/no-page');
  await visitor.page.getByText('This page does not exist').waitFor();
  await visitor.page.getByRole('link', { name: 'Go to the start' }).click();
  await visitor.page.getByRole('heading', { name: 'Three steps to a first call' }).waitFor();
});

test('a private page asks for a sign-in and is shown after it, and the start page is then the overview', async () => {
  const accountId = await portal.account('acme');
  const open = await portal.open('/keys');
  const { page } = open;
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('link', { name: 'Contact the team' }).waitFor();
  await page.goto(`${portal.gateway.portalUrl}/keys#token=${await portal.link(accountId)}`);
  await page.getByRole('button', { name: /^Sign in as/ }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await page.goto(`${portal.gateway.portalUrl}/`);
  await page.waitForURL('**/overview');
  await page.goto(`${portal.gateway.portalUrl}/sign-in`);
  await page.waitForURL('**/overview');
  await open.close();
});

test('a visitor can request an account, and after its approval create a key that works', async () => {
  const open = await portal.open('/plans');
  await open.page.getByRole('article').filter({ hasText: 'Pro' }).getByRole('link', { name: 'Choose Pro' }).click();
  await open.page.getByLabel('Name').fill('Ann <b>');
  await open.page.getByLabel('Email').fill('ann@example.com');
  await open.page.getByLabel('What do you want to build?').fill('Finding pets.');
  expect(await open.page.getByLabel('Plan').inputValue()).toBe('pro');
  expect(await open.findings()).toEqual([]);
  await open.page.getByRole('button', { name: 'Send the request' }).click();
  await open.page.getByRole('heading', { name: 'Your request was sent' }).waitFor();
  expect(await open.findings()).toEqual([]);
  await open.close();

  const operator = await openConsole(portal.chromium, portal.gateway, { at: '/' });
  await operator.page.getByRole('link', { name: '1 account request waiting' }).click();
  await operator.page.getByText('1 request is waiting for a decision.').waitFor();
  expect(await operator.findings()).toEqual([]);
  await operator.page.setViewportSize({ width: 320, height: 640 });
  expect(await operator.overflow()).toBeLessThanOrEqual(0);
  await operator.page.setViewportSize({ width: 1280, height: 800 });
  await operator.page.getByRole('button', { name: 'Approve…' }).click();
  await operator.page.getByRole('dialog').getByText('Finding pets.').waitFor();
  expect(await operator.findings()).toEqual([]);
  await operator.page.getByRole('button', { name: 'Create the account' }).click();
  const url = await operator.page
    .getByRole('dialog', { name: 'Sign-in link', exact: true })
    .locator('pre')
    .textContent();
  expect(await operator.pageErrors()).toEqual([]);
  await operator.close();
  const member = await portal.open(`token=${url?.split('#token=')[1]}`);
  await member.page.getByRole('button', { name: 'Sign in as Ann <b>' }).click();
  await member.page.waitForURL('**/overview');
  await member.page.getByRole('link', { name: 'Create a key' }).click();
  await member.page.getByLabel('Name').fill('Pet finder');
  await member.page.getByRole('button', { name: 'Create the key' }).click();
  const key = await member.page.getByRole('dialog').locator('code').first().textContent();
  expect((await portal.gateway.call('/pets', { key: key ?? '' })).headers.get('x-ratelimit-limit')).toBe('300');
  await member.close();
});

test('an account request with the email address of an account can only be declined, and links to that account', async () => {
  await portal.account('initech', { name: 'Initech', email: 'bob@example.com' });
  const request = { name: 'Bob', email: 'Bob@Example.com', purpose: 'More pets' };
  expect((await portal.browser().post('/api/account-requests', request)).status).toBe(202);
  const operator = await openConsole(portal.chromium, portal.gateway, { at: '/portal' });
  const { page } = operator;
  await page.getByRole('link', { name: 'Has an account' }).click();
  expect(await page.getByLabel('Search accounts').inputValue()).toBe('bob@example.com');
  await page.getByRole('link', { name: 'Initech' }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Decline…' }).click();
  await page.getByRole('dialog').getByText('More pets').waitFor();
  expect(await operator.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByText('No requests are waiting.').waitFor();
  expect(await operator.pageErrors()).toEqual([]);
  await operator.close();
});

test('an operator can approve an account request with another plan and the owner that the mail address suggests', async () => {
  const request = { name: 'Kim', email: 'kim@mail.hooli.example', purpose: 'Trying it out', plan: 'pro' };
  expect((await portal.browser().post('/api/account-requests', request)).status).toBe(202);
  const operator = await openConsole(portal.chromium, portal.gateway, { at: '/portal' });
  const { page } = operator;
  await page.getByRole('row', { name: /Kim/ }).getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('dialog').getByLabel('Plan').selectOption('free');
  await page.getByRole('button', { name: 'Use “hooli”, from the mail address' }).click();
  await page.getByText('A new owner. No key has it yet.').waitFor();
  expect(await operator.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('dialog', { name: 'Sign-in link', exact: true }).waitFor();
  const { items } = await portal.admin('GET', '/v1/accounts?q=hooli');
  expect(items).toMatchObject([{ owner: 'hooli', plan: 'free' }]);
  expect(await operator.pageErrors()).toEqual([]);
  await operator.close();
});

test('an owner that has an account is not proposed for another one, and entering it shows an error', async () => {
  await portal.account('wayne', { name: 'Wayne Enterprises' });
  const request = { name: 'Mia', email: 'mia@wayne.example', purpose: 'Trying it out', plan: 'pro' };
  expect((await portal.browser().post('/api/account-requests', request)).status).toBe(202);
  const operator = await openConsole(portal.chromium, portal.gateway, { at: '/portal' });
  const { page } = operator;
  await page.getByRole('row', { name: /Mia/ }).getByRole('button', { name: 'Approve…' }).click();
  await waitUntilSettled(page);
  expect(await page.getByRole('button', { name: /from the mail address/ }).count()).toBe(0);
  await page.getByRole('dialog').getByLabel('Owner', { exact: true }).fill('wayne');
  await page.getByText('This owner already has an account: Wayne Enterprises.').waitFor();
  expect(await page.locator('[role="option"]').count()).toBe(0);
  expect(await operator.findings()).toEqual([]);
  await operator.close();
});

test('old URLs with a fragment still work', async () => {
  const open = await portal.open('/#/reference/createPet?at=answers');
  const { page } = open;
  await page.waitForURL('**/reference/createPet?at=answers');
  await page.getByRole('heading', { name: 'Create a pet' }).waitFor();
  await open.close();
});

test('page URLs, the search and links work below a path prefix', async () => {
  const proxy = await startPrefixProxy('/developers');
  proxy.passTo(portal.gateway.portalUrl);
  const base = proxy.url.href.replace(/\/$/, '');
  const open = await openPage(portal.chromium, { url: `${base}/reference/createPet` });
  const { page } = open;
  await page.getByRole('heading', { name: 'Create a pet' }).waitFor();
  await page.getByText('All pages').click();
  await page.getByRole('link', { name: 'Limits' }).click();
  await page.waitForURL(`${base}/docs/limits`);
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('pet.created');
  await page.getByRole('option', { name: 'pet.created' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${base}/events/pet.created`);
  expect(await open.pageErrors()).toEqual([]);
  await open.close();
  proxy.stop();
});

test('Enter in the search waits for the results, and a corrected search is announced', async () => {
  const open = await portal.open('/docs/limits');
  const { page } = open;
  const isWanted = Promise.withResolvers<void>();
  await page.route('**/api/public/event-types', async (route) => {
    await isWanted.promise;
    await route.continue();
  });
  await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('pet.created');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Searching…').waitFor();
  expect(page.url()).toContain('/docs/limits');
  isWanted.resolve();
  await page.waitForURL('**/events/pet.created');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('create a petz');
  await page.getByText(/^Nothing has “create a petz”, so this is found for “create a pets?”/).waitFor();
  expect(await open.findings()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/reference/createPet');
  await open.close();
});

/**
 * Scripts that are not counted, because a screen is readable before they arrive. Markdown is shown unformatted until
 * its parser is loaded. The code samples, the form that tries a call, and the list of operations are beside an
 * operation.
 */
const LATER = /\/(?:rendered-markdown|call-panel|reference-navigation)-[^/]+\.js$/;
/** Scripts that are preloaded for the code samples of a call. */
const OF_CALLS =
  /\/(?:code|code-tabs|curl|language-tabs|pretty-json|sample|samples|sample-body|type-groups)-[^/]+\.js$/;

/** Lists the pages that need more than `maxBytes`, with their size. */
async function pagesOver(maxBytes: number, open: BrowserPage, addresses: readonly string[]): Promise<unknown[]> {
  const over: unknown[] = [];
  for (const address of addresses) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that no part is counted twice
    const bytes = await measureScripts(open, portal.gateway.portalUrl + address, {
      later: LATER,
      preloaded: address === OPERATION ? OF_CALLS : undefined,
    });
    expect(bytes).toBeGreaterThan(50_000);
    if (bytes > maxBytes) over.push([address, bytes]);
  }
  return over;
}

const READABLE = SCREENS.filter(
  (address) => !['/access', '/sign-in', '/no-page', '/reference/nothing'].includes(address),
);

/** The time limit for a test that loads some twenty pages, each without a cache. */
const MANY_PAGES_MS = 180_000;

test(
  'the first screen of every public page needs at most 120 kB of JavaScript without a session',
  async () => {
    const open = await portal.open('/access');
    expect(await pagesOver(120_000, open, [...READABLE, '/access', '/sign-in'])).toEqual([]);
    await open.close();
  },
  MANY_PAGES_MS,
);

test(
  'the first screen of every page needs at most 160 kB of JavaScript in a session',
  async () => {
    const member = await portal.openAs(await portal.account('globex'));
    const own = ['overview', 'welcome', 'keys', 'usage', 'requests', 'changes', 'webhooks', 'webhooks/none', 'account'];
    expect(await pagesOver(160_000, member, [...own.map((name) => `/${name}`), ...READABLE])).toEqual([]);
    await member.close();
  },
  MANY_PAGES_MS,
);
