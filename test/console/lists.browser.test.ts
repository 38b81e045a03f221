import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { until } from '../support/until.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

/** Lists can be sorted and filtered, and the URL contains the state. */
let console: ConsoleUnderTest;
let open: BrowserPage;

beforeAll(async () => {
  console = await startConsole({ settings: { demo: false } });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const given = [
    { name: 'beta', owner: 'acme', plan: 'pro', expiresAt: inDays(3) },
    { name: 'Alpha', owner: 'globex', plan: 'free', expiresAt: null },
    { name: 'gamma', owner: 'acme', plan: 'free', expiresAt: inDays(60) },
  ];
  for (const key of given) {
    const response = await console.gateway.admin('/v1/keys', { method: 'POST', body: JSON.stringify(key) });
    const { id } = (await response.json()) as { id: string };
    if (key.name !== 'Alpha') continue;
    const ban = { method: 'PUT', body: JSON.stringify({ seconds: 600, reason: 'test' }) };
    await console.gateway.admin(`/v1/keys/${id}/ban`, ban);
  }
  open = await console.open({ at: '/keys' });
});

afterAll(() => console.stop());

/** Reads the names in the rows, without the text below them. */
const names = async () =>
  (await open.page.locator('main [data-row-link]').allInnerTexts()).map((text) => text.split('\n', 1)[0] ?? '');
const sortBy = (head: string) => open.page.getByRole('columnheader', { name: head }).getByRole('button').click();

test('keys can be sorted by a column in both directions, and the URL has the order', async () => {
  await open.page.locator('[data-row-link]').first().waitFor();
  expect(await names()).toEqual(['gamma', 'Alpha', 'beta']);
  await sortBy('Name');
  await open.page.locator('th[aria-sort="ascending"]').waitFor();
  await until(async () => (await names()).join() === 'Alpha,beta,gamma');
  await sortBy('Name');
  await open.page.locator('th[aria-sort="descending"]').waitFor();
  await until(async () => (await names()).join() === 'gamma,beta,Alpha');
  expect(open.page.url()).toContain('sort=-name');
});

test('keys can be filtered by ban and by upcoming expiry', async () => {
  await open.show('/keys');
  await open.page.getByLabel('Status').selectOption({ label: 'Status: Banned' });
  await open.page.getByText('1 key matches').waitFor();
  expect(await names()).toEqual(['Alpha']);
  await open.page.getByLabel('Status').selectOption({ label: 'Status: Expiring in 7 days' });
  await open.page.getByRole('link', { name: 'beta' }).waitFor();
  expect(await names()).toEqual(['beta']);
  expect(open.page.url()).toMatch(/#\/keys\?expiresWithin=7d$/);
  await open.page.getByRole('columnheader', { name: 'Expires' }).waitFor();
});

test('a ban can be lifted in the list of bans, and the event about it links to the key', async () => {
  const { page } = open;
  await open.show('/bans');
  await page.getByRole('row', { name: /Alpha/ }).getByRole('button', { name: 'Lift…' }).click();
  await page.getByLabel('Reason').fill('sorted out');
  await page.getByRole('button', { name: 'Lift the ban' }).click();
  await page.getByRole('row', { name: /Alpha.*Lifted/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Lift…' }).count()).toBe(0);
  await open.show('/events?type=key.unbanned');
  const event = page.getByRole('row', { name: 'The ban on Alpha was lifted: sorted out' });
  expect(await event.getByRole('link', { name: 'Alpha' }).getAttribute('href')).toMatch(/#\/keys\/key_/);
  expect(await page.getByRole('columnheader', { name: 'Source' }).count()).toBe(0);
});

test('plans show their number of active keys and can be sorted by it', async () => {
  await open.show('/plans?sort=-keys');
  const row = open.page.getByRole('row', { name: /^Free/ });
  await row.getByRole('link', { name: '2 active keys on the plan Free' }).waitFor();
  expect((await names())[0]).toMatch(/^Free/);
  await sortBy('Active keys');
  await until(async () => (await names()).at(-1)?.startsWith('Free') === true);
});

test('owners show their plans and requests and can be sorted by number of keys', async () => {
  await open.show('/owners?sort=-activeKeys');
  const table = open.page.getByRole('table', { name: /^Owners, with their requests/ });
  await table.getByRole('row', { name: /acme Free, Pro .*\b0 .* 2 .*never/ }).waitFor();
  expect(await table.locator('[data-row-link]').allInnerTexts()).toEqual(['acme', 'globex']);
});

test('the audit log has one line per change, without sign-ins, and a click on it opens the details', async () => {
  const { page } = open;
  await open.show('/audit');
  const line = page.getByRole('row', { name: /admin created key gamma \(acme\) · plan: Free, expiry: / });
  await line.waitFor();
  expect(await page.getByText('signed in to the console').count()).toBe(0);
  await line.getByRole('cell').last().click();
  const dialog = page.getByRole('dialog', { name: 'Created key' });
  await dialog.getByText('owner').waitFor();
  expect(page.url()).toMatch(/entry=\d+/);
  await page.reload();
  await dialog.getByText('owner').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Sign-ins').check();
  await page.getByText('signed in to the console').first().waitFor();
  await page.getByLabel('Period').selectOption({ label: 'Period: from … to …' });
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
  await page.getByText('No matching changes').waitFor();
  await open.show('/overview');
  const changes = page.getByRole('region', { name: 'Recent changes' });
  await changes.getByText('admin lifted the ban on key Alpha (globex)').waitFor();
});

test('a change in a short list opens in a dialog on the same screen, with the keyboard or a click', async () => {
  const body = JSON.stringify({ url: 'http://127.0.0.1:1/', description: 'Pager', types: ['*'] });
  const made = await console.gateway.admin('/v1/webhooks', { method: 'POST', body });
  const { id } = (await made.json()) as { id: string };
  await console.gateway.admin(`/v1/webhooks/${id}`, { method: 'DELETE' });
  const { page } = open;
  await page.setViewportSize({ width: 1440, height: 900 });
  await open.show('/overview');
  // The page may have been open already, with older changes.
  await page.reload();
  const changes = page.getByRole('region', { name: 'Recent changes' });
  await changes
    .getByRole('row', { name: /deleted webhook/ })
    .locator('[data-row-link]:visible')
    .focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Deleted webhook' });
  await dialog.getByText('webhook.delete').waitFor();
  expect(page.url()).toMatch(/#\/overview\?entry=\d+/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/#\/overview$/);
  await open.show('/plans/free');
  await page.getByRole('region', { name: 'Changes' }).getByRole('row').nth(1).getByRole('cell').last().click();
  await page.getByRole('dialog', { name: 'Created plan' }).waitFor();
  expect(page.url()).toMatch(/#\/plans\/free\?entry=\d+/);
  await page.keyboard.press('Escape');
});

test('no section of the overview has a large empty space below it', async () => {
  const { page } = open;
  await page.setViewportSize({ width: 1440, height: 900 });
  await open.show('/overview');
  await page.getByRole('heading', { name: 'Recent changes' }).waitFor();
  const measureBox = async (name: string) => (await page.getByRole('region', { name }).boundingBox())!;
  const outcomes = await measureBox('Outcomes');
  const changes = await measureBox('Recent changes');
  expect(outcomes.y).toBe((await measureBox('Busiest keys')).y);
  expect(changes.x).toBe(outcomes.x);
  expect(changes.y - outcomes.y - outcomes.height).toBeLessThan(50);
});

test('accounts can be sorted by a column, and the URL has the order', async () => {
  for (const [owner, name, plan] of [
    ['acme', 'Zeta', 'free'],
    ['globex', 'alpha', 'pro'],
  ]) {
    const body = JSON.stringify({ owner, name, plan });
    await console.gateway.admin('/v1/accounts', { method: 'POST', body });
  }
  await open.show('/portal');
  await open.page.getByRole('row', { name: /Zeta/ }).waitFor();
  const first = async () => (await names())[0];
  expect(await first()).toBe('alpha');
  await sortBy('Plan');
  await until(async () => (await first()) === 'Zeta');
  expect(open.page.url()).toContain('sort=plan');
  await sortBy('Account');
  await until(async () => (await first()) === 'alpha');
  await sortBy('Account');
  await until(async () => (await first()) === 'Zeta');
});

test('active bans can be sorted by their end, and all bans only by their beginning, which the headers explain', async () => {
  const { page } = open;
  const response = await console.gateway.admin('/v1/keys?owner=acme');
  const { items } = (await response.json()) as { items: { id: string; name: string }[] };
  for (const [index, { id }] of items.entries()) {
    const body = JSON.stringify({ seconds: 1000 - index * 100, reason: 'test' });
    await console.gateway.admin(`/v1/keys/${id}/ban`, { method: 'PUT', body });
  }
  await open.show('/bans?owner=acme&sort=until');
  await page.getByTitle('Only active bans can be sorted by this: choose the status Active.').first().waitFor();
  const heads = page.getByRole('columnheader');
  expect(await heads.getByRole('button').allInnerTexts()).toEqual(['Began']);
  await page.getByLabel('Status').selectOption({ label: 'Status: Active' });
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Ends' }).waitFor();
  const keys = async () => (await page.locator('tbody tr').allInnerTexts()).map((row) => row.split('\n')[0]);
  const byEnd = items.map(({ name }) => name).toReversed();
  await until(async () => (await keys()).join() === byEnd.join());
  await sortBy('Ends');
  await until(async () => (await keys()).join() === byEnd.toReversed().join());
  expect(await page.getByTitle('Only active bans can be sorted by this').count()).toBe(0);
  for (const { id } of items) {
    await console.gateway.admin(`/v1/keys/${id}/ban`, { method: 'DELETE', body: JSON.stringify({ reason: 'test' }) });
  }
});

test('events can be sorted by the order in which they were recorded, in both directions', async () => {
  await open.show('/events?type=key.created');
  const last = () => open.page.locator('tbody tr').last().innerText();
  await open.page.getByRole('row', { name: /beta/ }).waitFor();
  expect(await last()).toContain('beta');
  await sortBy('Time');
  await until(async () => !(await last()).includes('beta'));
  expect(open.page.url()).toContain('sort=written');
});

test('webhooks can be sorted by name and filtered by failure', async () => {
  const { page } = open;
  for (const description of ['Pager', 'chat']) {
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/in', description, types: ['key.created'] });
    await console.gateway.admin('/v1/webhooks', { method: 'POST', body });
  }
  await open.show('/webhooks?sort=name');
  await page.getByRole('row', { name: /Pager/ }).waitFor();
  expect((await names()).map((name) => name.split('\n')[0])).toEqual(['chat', 'Pager']);
  await page.getByLabel('Status').selectOption({ label: 'Status: Failing' });
  await page.getByText('No matching webhooks').waitFor();
  expect(page.url()).toContain('state=failing');
});

test('an account can be created on the page of an owner without one', async () => {
  const { page } = open;
  const key = JSON.stringify({ name: 'reports', owner: 'hooli', plan: 'free' });
  await console.gateway.admin('/v1/keys', { method: 'POST', body: key });
  await open.show('/owners/hooli');
  await page.getByRole('button', { name: 'Create an account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create an account for hooli' });
  expect(await dialog.getByLabel('Owner').count()).toBe(0);
  await dialog.getByLabel('Name').fill('Hooli Inc.');
  await dialog.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('button', { name: 'Actions for Hooli Inc.' }).waitFor();
  expect(await page.getByText('cannot sign in to the portal').count()).toBe(0);
});

test.each([
  ['/bans', 'Status: Lifted'],
  ['/portal', 'Status: Disabled'],
  ['/webhooks', 'Status: Enabled'],
  ['/keys', 'Status: Rotating'],
  ['/operations', 'Status: Deprecated'],
])('the status filter of %s has the option “%s”', async (address, label) => {
  await open.show(address);
  await open.page.getByLabel('Status').selectOption({ label });
});

test('the mode of a plan has the same name in the list of plans and on the page of the plan', async () => {
  await open.show('/plans');
  await open.page.getByRole('cell', { name: 'Enforced' }).first().waitFor();
  await open.show('/plans/pro');
  await open.page.locator('dd', { hasText: /^Enforced$/ }).waitFor();
});

test('the details of a change open from their URL even if the list does not show it, and unknown ones are reported', async () => {
  const { page } = open;
  const response = await console.gateway.admin('/v1/audit?action=key.create&limit=100');
  const { items } = (await response.json()) as { items: { sequence: number }[] };
  const oldest = items.at(-1)!.sequence;
  await open.show(`/audit?actor=nobody&entry=${oldest}`);
  await page.getByRole('dialog', { name: 'Created key' }).getByText('beta').first().waitFor();
  await page.keyboard.press('Escape');
  for (const unknown of ['900000', 'none']) {
    await open.show(`/audit?entry=${unknown}`);
    await page
      .getByRole('dialog', { name: `Change ${unknown}` })
      .getByText('There is no such change')
      .waitFor();
  }
});

test('a search for a leaked secret finds its key, and the secret does not get into the URL', async () => {
  const { page } = open;
  const body = JSON.stringify({ name: 'leaked', owner: 'initech', plan: 'free' });
  const response = await console.gateway.admin('/v1/keys', { method: 'POST', body });
  const { id, key, prefix } = (await response.json()) as { id: string; key: string; prefix: string };
  await open.show('/keys');
  await page.getByLabel('Search the keys').fill(key);
  await page.getByText('1 key matches').waitFor();
  expect(await names()).toEqual(['leaked']);
  expect(page.url()).toMatch(new RegExp(`q=${prefix}$`));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(key);
  await page.getByRole('option', { name: /leaked/ }).waitFor();
  await page.keyboard.press('Escape');
  await console.gateway.admin(`/v1/keys/${id}`, { method: 'DELETE' });
});

test('the audit log can be filtered by the name of a plan and by a number of days', async () => {
  const { page } = open;
  await open.show('/audit');
  await page.getByLabel('Subject').fill('Pro');
  await page.getByRole('row', { name: /created plan Pro/ }).waitFor();
  await until(async () => (await page.locator('tbody tr').count()) === 1);
  await page.getByLabel('Period').selectOption({ label: 'Period: last 7 days' });
  await until(() => page.url().includes('from='));
  expect(await page.getByLabel('Period').inputValue()).toBe('7');
});

describe('in the columns of lists,', () => {
  const LONG = 'the-research-department-of-the-umbrella-corporation';
  let ids: string[];

  beforeAll(async () => {
    const create = async (path: string, method: string, body: object) => {
      const response = await console.gateway.admin(path, { method, body: JSON.stringify(body) });
      return (await response.json()) as { id: string };
    };
    await create('/v1/plans/enterprise', 'PUT', { name: 'Enterprise', limits: { minute: 60, day: 1000 } });
    const key = await create('/v1/keys', 'POST', { name: `Export ${LONG}`, owner: LONG, plan: 'enterprise' });
    const second = await create(`/v1/keys/${key.id}/rotate`, 'POST', { graceSeconds: 3600 });
    const third = await create(`/v1/keys/${second.id}/rotate`, 'POST', { graceSeconds: 3600 });
    await create(`/v1/keys/${third.id}/ban`, 'PUT', { seconds: 600, reason: 'test' });
    ids = [third.id, second.id, key.id];
  });

  /**
   * Measures the text of an element: how much of it is cut off (in px), its number of lines, and the space at its end
   * (in px).
   */
  const measure = (cell: Locator) =>
    cell.evaluate((node) => {
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      const free = node.getBoundingClientRect().right - range.getBoundingClientRect().right;
      return { cut: node.scrollWidth - node.clientWidth, lines: tops.size, free };
    });

  test.each([1600, 1440, 1024])('plans are shown in full and long owners on one line at %i px', async (width) => {
    const wide = await console.open({ at: '/keys', width });
    const row = wide.page.locator('tbody tr').filter({ hasText: 'Enterprise' }).first();
    await row.waitFor();
    const plan = row.locator('td[title="Enterprise"]');
    expect(await measure(plan)).toMatchObject({ cut: 0, lines: 1 });
    // If the column had been measured in another font, it would be too narrow, or wider than needed.
    expect((await measure(plan)).free).toBeLessThan(20);
    const owner = row.locator(`td[title="${LONG}"]`);
    expect(await measure(owner)).toMatchObject({ lines: 1 });
    const name = row.locator('[data-row-link] bdi');
    expect(await measure(name)).toMatchObject({ lines: 1 });
    expect(await name.getAttribute('title')).toBe(`Export ${LONG}`);
    expect(await wide.overflow()).toBeLessThanOrEqual(0);
    await wide.close();
  });

  test.each([1440, 1024])(
    'the widths do not depend on whether the font arrives before the rows at %i px',
    async (width) => {
      const measureWidth = async ({ page }: BrowserPage) =>
        (await page.locator('td[title="Enterprise"]').first().boundingBox())?.width;
      const open = await console.open({ at: '/keys', width });
      const expected = await measureWidth(open);
      // Use another context, which does not have the font in its cache.
      const late = await console.open({ token: null, width });
      const { promise: isLate, resolve: send } = Promise.withResolvers<void>();
      await late.context.route('**/*.woff2', async (route) => {
        await isLate;
        await route.continue();
      });
      await late.page.goto('about:blank');
      await late.page.goto(`${console.gateway.adminUrl}/console/#/keys`);
      await late.page.getByLabel('Admin token').fill(console.gateway.adminToken);
      await late.page.getByRole('button', { name: 'Sign in' }).click();
      expect(await measureWidth(late)).not.toBe(expected);
      send();
      await until(async () => (await measureWidth(late)) === expected);
      await Promise.all([open.close(), late.close()]);
    },
  );

  test.each([1440, 1200, 1024, 700, 390])(
    'keys whose old secret still works are listed with their names at %i px',
    async (width) => {
      const rotating = await console.open({ at: '/keys?state=rotating', width });
      const links = rotating.page.locator('main [data-row-link]').filter({ hasText: 'Export' });
      await links.nth(1).waitFor();
      for (const link of [links.first(), links.nth(1)]) {
        // oxlint-disable-next-line no-await-in-loop -- one row after the other
        const [column, old, name] = await Promise.all([
          link.boundingBox(),
          link.getByText('(old secret)').boundingBox(),
          link.locator('bdi').boundingBox(),
        ]);
        expect(old!.x + old!.width).toBeLessThanOrEqual(column!.x + column!.width);
        expect(name!.width).toBeGreaterThan(60);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await measure(link.locator('code'))).toMatchObject({ cut: 0 });
      }
      const expires = rotating.page.getByRole('columnheader', { name: 'Expires' });
      expect(await expires.isVisible()).toBe(width > 640);
      expect(await rotating.overflow()).toBeLessThanOrEqual(0);
      await rotating.close();
    },
  );

  test.each(['/bans', '/keys'])('%s with the filter of a long owner is not wider than a phone', async (list) => {
    const phone = await console.open({ at: `${list}?owner=${LONG}`, width: 390 });
    if (list === '/keys') await phone.page.getByRole('button', { name: /^Filters/ }).click();
    const filter = phone.page.getByRole('button', { name: `Owner: ${LONG}` });
    await filter.waitFor();
    expect(await phone.overflow()).toBeLessThanOrEqual(0);
    expect(await measure(filter)).toMatchObject({ cut: 0 });
    await phone.close();
  });

  test('lists are at most 1600 px wide in a wide window', async () => {
    const wide = await console.open({ at: '/keys', width: 2000 });
    const { width = 0 } = (await wide.page.getByRole('table').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(1500);
    expect(width).toBeLessThanOrEqual(1600);
    await wide.close();
  });

  test('keys have their secrets, and old secrets are listed below the one that replaced them', async () => {
    const keys = await Promise.all(ids.map(async (id) => (await console.gateway.admin(`/v1/keys/${id}`)).json()));
    const secrets = (keys as { prefix: string; lastFour: string }[]).map((key) => `${key.prefix}…${key.lastFour}`);
    // The list is sorted by a field that would separate old secrets from the new one.
    for (const at of ['/keys?sort=createdAt', `/owners/${LONG}`]) {
      // oxlint-disable-next-line no-await-in-loop -- the same page shows one screen after the other
      await open.show(at);
      const links = open.page.getByRole('table').first().locator('[data-row-link]').filter({ hasText: 'Export' });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await links.nth(2).waitFor();
      // oxlint-disable-next-line no-await-in-loop -- as above
      const shown = await links.allInnerTexts();
      expect(shown.map((text) => text.split('\n').at(-1))).toEqual(secrets);
      expect(shown.map((text) => text.includes('(old secret)'))).toEqual([false, true, true]);
    }
    const bans = await console.open({ at: '/bans' });
    const row = bans.page.getByRole('row', { name: new RegExp(`${secrets[0]}`) });
    await row.first().waitFor();
    await bans.close();
  });

  test.each([1440, 1024])('the reason of a ban is on one line at %i px, and shown in full on hover', async (width) => {
    const reason =
      'Ignored Retry-After for an hour after three warnings by mail, and did not answer the telephone either';
    const body = JSON.stringify({ seconds: 600, reason });
    await console.gateway.admin(`/v1/keys/${ids[1]}/ban`, { method: 'PUT', body });
    const bans = await console.open({ at: '/bans', width });
    // The hidden elements are for phones, so measure only visible ones.
    const measureHeight = async (text: string) => {
      const shown = bans.page.getByTitle(text, { exact: true }).filter({ visible: true });
      return (await shown.first().boundingBox())!.height;
    };
    expect(await measureHeight(reason)).toBe(await measureHeight('test'));
    await bans.close();
  });
});

test('on a phone, a new owner can be chosen below many existing owners', async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const owner = `many-${number}`;
    const key = JSON.stringify({ name: 'Shop', owner, plan: 'free' });
    await console.gateway.admin('/v1/keys', { method: 'POST', body: key });
    const name = `Many of Them ${number}, Headquarters for Pharmaceutical Research in Europe and Africa`;
    const account = JSON.stringify({ owner, name, email: `operations@${owner}.example`, plan: 'free' });
    await console.gateway.admin('/v1/accounts', { method: 'POST', body: account });
  }
  const phone = await console.open({ at: '/keys', width: 390 });
  await phone.page.getByRole('button', { name: 'Create a key' }).click();
  await phone.page.getByRole('dialog').getByLabel('Owner', { exact: true }).fill('many');
  const choices = phone.page.locator('[role="option"]');
  await choices.nth(6).waitFor();
  const [list, created] = await Promise.all([
    phone.page.getByRole('listbox').boundingBox(),
    choices.last().boundingBox(),
  ]);
  expect(await choices.last().innerText()).toContain('Create new owner “many”');
  const popup = phone.page.getByRole('listbox').locator('..');
  const { y, height } = (await popup.boundingBox())!;
  expect(list!.height).toBeGreaterThan(height);
  expect(created!.y + created!.height).toBeLessThanOrEqual(y + height);
  await choices.last().click();
  await phone.page.getByText('A new owner. No key has it yet.').waitFor();
  await phone.close();
});

test.each([
  ['/keys?owner=acme&plan=free&q=Alpha', 'Filters (2)'],
  ['/keys?state=rotating', 'Filters (1)'],
  ['/bans?status=active', 'Filters (1)'],
  ['/requests?owner=acme&code=key_banned&operation=getPet', 'Filters (2)'],
  ['/events?type=key.created&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', 'Filters (2)'],
  ['/audit?actor=admin&from=2026-01-01T00:00:00Z&signIns=shown', 'Filters (3)'],
  ['/webhooks?account=none', 'Filters (1)'],
  ['/operations?state=deprecated', 'Filters (1)'],
  ['/portal?status=disabled', 'Filters (1)'],
  ['/keys?q=Alpha', 'Filters'],
])('on a phone, the list %s shows the button “%s”', async (at, name) => {
  await open.page.setViewportSize({ width: 390, height: 800 });
  await open.show(at);
  await open.page.getByRole('button', { name, exact: true }).waitFor();
});
