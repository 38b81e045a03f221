import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import type { PortalBrowser } from '../support/gateway/portal.ts';
import { findOverlaps, findVisualProblems } from '../support/browser/visual-checks.ts';
import { until } from '../support/until.ts';
import { Endpoint } from '../support/webhooks/endpoint.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/**
 * No page violates the content security policy, has axe findings, or scrolls horizontally on the narrowest phone. The
 * names on the pages contain markup, and each page is checked in light and dark.
 */
const HOSTILE_NAME = `<img src=x onerror="document.title='pwned'"> ${'W'.repeat(60)}`;

/** The plan includes more operations than a card shows at first. */
const MANY_OPERATIONS = ['getPet', 'createPet', 'replacePet', 'deletePet', 'getCategory', 'createCategory', 'getOrder'];

let portal: PortalUnderTest;
let webhookId = '';
let deliveryId = '';
let open: BrowserPage;
/** The page of a new account without data. */
let empty: BrowserPage;

beforeAll(async () => {
  portal = await startPortalPages({
    settings: { portal: { title: `Acme's "API" <b>`, accent: '#ffcc00' }, events: { allowPrivate: true } },
  });
  await portal.admin('PUT', '/v1/plans/pro', {
    name: HOSTILE_NAME,
    priceText: '$49 a month',
    limits: { minute: 300, day: 10_000 },
    operations: ['tag:orders', 'listPets', ...MANY_OPERATIONS],
  });
  const accountId = await portal.account('acme', { name: HOSTILE_NAME });
  const consumer = await portal.signInAs(accountId);
  const { key } = (await consumer.post('/api/keys', { name: HOSTILE_NAME })).body;
  await consumer.post('/api/keys', { name: 'Another' });
  await consumer.post('/api/plan-requests', { plan: 'pro', message: `${HOSTILE_NAME}\nsecond line` });
  await createWebhook(consumer);
  for (let call = 0; call < 61; call++) {
    await portal.gateway.call('/pets/1', { key, headers: { 'X-Request-Id': 'refused-request' } });
  }
  const counted = async () => (await consumer.get('/api/requests/refused-request')).status === 200;
  while (!(await counted())) await new Promise((resolve) => setTimeout(resolve, 250));
  open = await portal.openAs(accountId);
  empty = await portal.openAs(await portal.account('newAccount'));
});

afterAll(() => portal.stop());

/** Creates a webhook whose endpoint responds with markup. */
async function createWebhook(consumer: PortalBrowser): Promise<void> {
  const endpoint = await Endpoint.start((_, res) => res.writeHead(500).end(HOSTILE_NAME));
  const given = { url: endpoint.url, description: HOSTILE_NAME, types: ['key.expiring'] };
  webhookId = (await consumer.post('/api/webhooks', given)).body.id;
  deliveryId = (await consumer.call('POST', `/api/webhooks/${webhookId}/test`)).body.id;
  await endpoint.stop();
}

test('plans show the current usage beside each limit', async () => {
  await open.show('/plans');
  const cards = open.page.getByRole('article');
  await cards.nth(0).getByText('60 used today (6.0%)').waitFor();
  await cards.nth(1).getByText('60 used today (0.6%)').waitFor();
  await cards.nth(1).getByText('$49 a month').waitFor();
  expect(await cards.nth(1).getByRole('link', { name: 'Get an order' }).isVisible()).toBe(false);
  await cards.nth(1).getByText('1 more').click();
  await cards.nth(1).getByRole('link', { name: 'Get an order' }).click();
  await open.page.getByRole('heading', { name: 'Get an order', level: 1 }).waitFor();
});

test('the usage page shows the units of today per hour and against the limit, and exports the usage by key', async () => {
  const { page } = open;
  await open.show('/usage?period=today');
  const today = page.getByRole('region', { name: 'Quota today (UTC)' });
  await today.getByText('60 of 1,000 units used, 940 left.').waitFor();
  await today.getByText('Units per hour').click();
  await today.getByRole('row', { name: /60 60 6\.0%$/ }).waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV of keys' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('usage-by-key-today.csv');
  // The last of the 61 calls was refused.
  expect(await readText(await download.createReadStream())).toMatch(
    /^group,name,at,.*clientErrors.*\nkey_\w+,.+,20\S+Z,61,60,1,0,/,
  );
});

test('the overview shows the name of the account, its traffic, and its latest refusals with their causes', async () => {
  const { page } = open;
  await open.show('/overview');
  await page.getByRole('heading', { name: HOSTILE_NAME, level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Traffic' }).getByText('60 units charged').waitFor();
  await page.getByRole('region', { name: 'Latest refusals' }).getByText('The limit for the minute').first().waitFor();
});

test.each(['approve', 'decline'])(
  'the overview shows the decision on a plan request until it is dismissed: %s',
  async (decision) => {
    const accountId = await portal.account(`answered-${decision}`);
    const consumer = await portal.signInAs(accountId);
    const { id } = (await consumer.post('/api/plan-requests', { plan: 'pro' })).body;
    const member = await portal.openAs(accountId);
    const response = member.page.getByText(/Your request for the plan .* was (approved|declined)/);
    await member.show('/overview');
    await member.page.getByText('requests left this minute').waitFor();
    expect(await response.count()).toBe(0);
    const reason = '<b>Call</b> once per batch.';
    await portal.admin('POST', `/v1/plan-requests/${id}/${decision}`, { reason });
    await member.page.reload();
    await member.page.getByText(new RegExp(`was ${decision}d`)).waitFor();
    await member.page.getByText(reason).waitFor();
    expect(await member.findings()).toEqual([]);
    await member.page.getByRole('button', { name: 'Dismiss' }).click();
    await response.waitFor({ state: 'detached' });
    await member.page.reload();
    await member.page.getByText('requests left this minute').waitFor();
    expect(await response.count()).toBe(0);
    expect(await member.pageErrors()).toEqual([]);
    await member.close();
  },
);

test('a refused request has a timeline, from the start of the window until calls are possible again', async () => {
  await open.show('/requests?id=refused-request');
  const steps = open.page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await steps.last().waitFor();
  const texts = await steps.allInnerTexts();
  expect(texts.map((text) => text.replace(/^.*\d\d:\d\d:\d\d\s+/, ''))).toEqual([
    'The per-minute window opened.',
    'This request was refused with 429 rate_limit_exceeded: 60 of 60 units used.',
    expect.stringMatching(/^Calls (are|were) possible again\.$/),
  ]);
});

test('refusals of the same call are one row, which shows the others on request', async () => {
  const accountId = await portal.account('initech');
  const consumer = await portal.signInAs(accountId);
  const { key } = (await consumer.post('/api/keys', { name: 'Nightly job' })).body;
  for (let call = 0; call < 63; call++) await portal.gateway.call('/pets/1', { key });
  await until(async () => (await consumer.get('/api/requests')).body.items.length === 3);
  const member = await portal.openAs(accountId);
  const { page } = member;
  for (const [address, region] of [
    ['/overview', 'Latest refusals'],
    ['/requests', 'Recent refusals'],
  ] as const) {
    await member.show(address);
    const rows = page.getByRole('region', { name: region }).getByRole('link', { name: 'GET /pets/{petId}' });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    expect(await findVisualProblems(member)).toEqual([]);
    await page.getByRole('button', { name: 'Show 2 earlier refusals like this' }).click();
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
  }
  await member.close();
});

test('if a request cannot be looked up, the page shows an error and can try again', async () => {
  const { page } = open;
  await page.route(/\/api\/requests\//, (route) =>
    route.fulfill({
      status: 503,
      json: { status: 503, code: 'store_unavailable', message: 'The records cannot be read.' },
    }),
  );
  await open.show('/requests?id=of-a-dead-database');
  await page.getByRole('heading', { name: 'Could not load the request' }).waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Looking for this request').waitFor();
});

test("every page links to the licenses of the portal's packages", async () => {
  const { page } = open;
  await open.show('/docs/errors');
  await page.getByRole('link', { name: 'Open-source licenses' }).click();
  await page.waitForURL(`${portal.gateway.portalUrl}/licenses.txt`);
  const text = await page.innerText('body');
  expect(text).toMatch(/^The pages of Tollgate's portal .* micromark 4.*SIL OPEN FONT LICENSE/s);
  await page.goBack();
});

const SCREENS: readonly (readonly [string, string | (() => string)])[] = [
  ['overview', '/overview'],
  ['keys', '/keys'],
  ['usage', '/usage?period=1h'],
  ['usage today', '/usage?period=today'],
  ['why was it refused', '/requests'],
  ['a refused request', '/requests?id=refused-request'],
  ['a request without a record', '/requests?id=of-no-request'],
  ['what will change', '/changes'],
  ['plans', '/plans'],
  ['webhooks', '/webhooks'],
  ['a webhook', () => `/webhooks/${webhookId}`],
  ['a delivery', () => `/webhooks/${webhookId}?delivery=${deliveryId}`],
  ['an unknown webhook', '/webhooks/whk_of_nobody'],
  ['events', '/events'],
  ['an event', '/events/operation.sunset_soon'],
  ['an event of the service', '/events/pet.created'],
  ['an unknown event', '/events/nothing.happens'],
  ['account', '/account'],
  ['welcome', '/welcome'],
  ['reference', '/reference'],
  ['a deprecated operation', '/reference/getPet'],
  ['an operation with a body', '/reference/createPet'],
  ['a response of an operation', '/reference/createPet?at=answer-415&language=python'],
  ['an unknown operation', '/reference/nothing'],
  ['getting started', '/docs/getting-started'],
  ['a guide', '/docs/standing'],
  ['webhooks, the guide', '/docs/webhooks'],
  ['errors', '/docs/errors'],
  ['an unknown page', '/nowhere'],
];

const EMPTY_SCREENS = [
  '/overview',
  '/keys',
  '/usage',
  '/changes',
  '/plans',
  '/webhooks',
  '/account',
  '/reference/getPet',
];

async function expectNoProblems(shown: BrowserPage, address: string): Promise<void> {
  await shown.show(address);
  expect(await shown.pageErrors()).toEqual([]);
  expect(await findVisualProblems(shown)).toEqual([]);
  await shown.page.setViewportSize({ width: 320, height: 640 });
  expect(await findOverlaps(shown)).toEqual([]);
  await shown.page.setViewportSize({ width: 1280, height: 800 });
  expect(await shown.page.title()).not.toBe('pwned');
}

test.each(SCREENS)('the screen “%s” has no errors or visual problems', async (_, address) =>
  expectNoProblems(open, typeof address === 'string' ? address : address()),
);

test.each(EMPTY_SCREENS)(
  'the screen %s has no errors or visual problems for an account without data',
  async (address) => expectNoProblems(empty, address),
);

test('the sign-in page has no errors or visual problems', async () => {
  const visitor = await portal.open('/overview');
  await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await findVisualProblems(visitor)).toEqual([]);
  expect(await visitor.pageErrors()).toEqual([]);
  await visitor.close();
});

test('for a visitor of a private portal, a link to an operation loads nothing of the reference', async () => {
  const visitor = await portal.open('/');
  const asked: string[] = [];
  visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visitor.page.goto(`${portal.gateway.portalUrl}/reference/createPet`);
  await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(asked).toContain('/api/session');
  expect(asked.filter((path) => path.startsWith('/api/') && path.includes('reference'))).toEqual([]);
  await visitor.close();
});
