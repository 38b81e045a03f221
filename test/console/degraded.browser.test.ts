import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { RedisServer } from '../support/servers/redis-server.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

/** The overview names the components that have failed, with the time and the cause. */
let redis: RedisServer;
let console: ConsoleUnderTest;

beforeAll(async () => {
  redis = await RedisServer.start();
  console = await startConsole({ env: { TOLLGATE_STORE: `redis://127.0.0.1:${redis.port}` } });
});

afterAll(async () => {
  await console.stop();
  await redis.stop();
});

test('an unavailable store is shown on the overview and the system screen, with the time and the cause', async () => {
  const { gateway } = console;
  const open = await console.open();
  const { page } = open;
  const trouble = page.getByText('Counters and bans: degraded, first noticed', { exact: false });
  expect(await trouble.count()).toBe(0);

  await redis.stop();
  await until(async () => {
    await gateway.call('/pets');
    return (await (await fetch(`${gateway.adminUrl}/readyz`)).text()).includes('degraded');
  });
  for (const screen of ['/overview?period=7d', '/system']) {
    await open.show(screen);
    await page.reload();
    await trouble.waitFor();
    expect(await trouble.textContent()).toMatch(/, first noticed ((?:just )?now|\d+ \w+ ago)\. Redis/);
    expect(await open.findings()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await open.overflow()).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  const { key, body } = await readUsage(console);
  expect(body).toMatchObject({ degraded: true });
  await open.show(`/keys/${key}`);
  await page.getByText('These figures are for one gateway alone', { exact: false }).waitFor();
  expect(await open.findings()).toEqual([]);
  expect(await open.pageErrors()).toEqual([]);
});

/** Reads the usage of the demo key, as its holder sees it. */
async function readUsage({ gateway }: ConsoleUnderTest) {
  const { items } = (await (await gateway.admin('/v1/keys')).json()) as { items: [{ id: string }] };
  return { key: items[0].id, body: await (await gateway.call('/_gateway/usage')).json() };
}

test('the system screen shows the gateway and its settings with their sources, and no secrets', async () => {
  const { page } = await console.open({ at: '/system?q=token' });
  await page.getByText('this one').waitFor();
  const row = page.getByRole('row', { name: /TOLLGATE_ADMIN_TOKEN/ });
  expect(await row.textContent()).toContain('set, not shown');
  expect(await page.content()).not.toContain(console.gateway.adminToken);
  expect(await page.getByRole('row', { name: /bans\.strikes/ }).count()).toBe(0);
  await page.getByLabel('Find a setting').fill('strikes');
  await page.getByRole('row', { name: /bans\.strikes.*10.*default/ }).waitFor();
  expect(page.url()).toContain('q=strikes');
});

// For such a service, the API returns `unknown`. Shown as it is, that would contradict the heading "Healthy".
test('a service without health checks is shown as not checked', async () => {
  const open = await console.open();
  const { page } = open;
  await page.route('**/v1/system', async (route) => {
    const response = await route.fetch();
    const system = (await response.json()) as { components: object[] };
    const at = new Date().toISOString();
    const cause = 'http://127.0.0.1:9 is unknown: no health check has run';
    system.components.push({ name: 'upstream:shop', kind: 'http', state: 'unknown', since: at, cause });
    await route.fulfill({ response, json: system });
  });
  await open.show('/system');
  await page.getByRole('row', { name: /shop.*Not checked/ }).waitFor();
  // The page reads the state again every few seconds, and maybe while it is being closed.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await open.close();
});

test('gateways with different configurations are shown with the differing settings and the time', async () => {
  const open = await console.open();
  const { page } = open;
  await page.route('**/v1/gateways?*', async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { items: object[]; drift: object | null };
    const at = new Date().toISOString();
    const differs = ['guard', 'upstreams.orders.openapi'];
    const configuration = { digest: 'cbe2ae02e280', since: at, differs };
    list.items.push({ ...list.items[0], id: 'another-gateway', host: 'gateway-b', current: false, configuration });
    await route.fulfill({ response, json: { ...list, drift: { since: at, parts: differs } } });
  });
  await open.show('/system');
  await page.getByText('and is in: guard, upstreams.orders.openapi.', { exact: false }).waitFor();
  await page.getByRole('row', { name: /gateway-b.*cbe2ae02e280/ }).waitFor();
  expect(await open.findings()).toEqual([]);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await open.overflow()).toBeLessThanOrEqual(0);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
