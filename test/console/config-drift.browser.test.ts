/**
 * Ten gateways share a database. They differ in everything in which gateways may differ: addresses, folders, names of
 * files, log level, and values of secrets. An operator changes their configuration in the documented order. Until all
 * of them are reloaded, the command, the console and the metric show which gateways differ.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { connectToBrowser } from '../support/browser/browser-page.ts';
import { openSharedStorage, type SharedStorage } from '../support/fleet/shared-storage.ts';
import { runCommand } from '../support/gateway/cli.ts';
import {
  ADMIN_TOKEN,
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../support/gateway/reloading-gateway.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';
import { openConsole } from './support/console.ts';

const COUNT = 10;
const MAX_WAIT_MS = 30_000;

let storage: SharedStorage;
let browser: Browser;
const gateways: ReloadingGateway[] = [];

const createSettings = (index: number, failedAttempts: number) => ({
  demo: false,
  plans: `plans-${index}.yaml`,
  guard: { failedAttempts },
  upstreams: [
    {
      name: 'shop',
      openapi: `shop-${index}.yaml`,
      targets: ['http://127.0.0.1:9'],
      headers: { 'X-Token': '${SHOP_TOKEN}' },
    },
  ],
});

async function startOne(index: number): Promise<ReloadingGateway> {
  return startReloadingGateway((write) => {
    write(`plans-${index}.yaml`, createPlans({ minute: 1000, day: 100_000 }));
    write(`shop-${index}.yaml`, createDocument({ pets: {}, orders: {} }));
    return {
      settings: createSettings(index, 10),
      env: {
        TOLLGATE_DATABASE: storage.locations.database,
        TOLLGATE_STORE: storage.locations.store,
        TOLLGATE_LOG_LEVEL: index % 2 === 0 ? 'debug' : 'info',
        SHOP_TOKEN: `secret-${index}-of-the-tests-0123456789abcdef`,
      },
    };
  });
}

beforeAll(async () => {
  storage = await openSharedStorage();
  browser = await connectToBrowser();
  for (let index = 0; index < COUNT; index++) gateways.push(await startOne(index));
});
afterAll(async () => {
  await browser.close();
  for (const gateway of gateways) await gateway.stop();
  await storage.release();
});

function run({ adminUrl }: ReloadingGateway, ...args: string[]) {
  return runCommand(args, { env: { TOLLGATE_ADMIN_URL: adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } });
}

async function list(gateway: ReloadingGateway): Promise<string> {
  const { code, out } = await run(gateway, 'system', 'gateways');
  expect(code).toBe(0);
  return out;
}

/** Reads the metric of each gateway, which is the number of gateways that differ from it. */
function readMetrics(): Promise<number[]> {
  return Promise.all(
    gateways.map(async ({ adminUrl }) => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      return Number(/^tollgate_config_drift (\d+)$/m.exec(text)?.[1]);
    }),
  );
}

async function untilMetricsAre(expected: number[]): Promise<void> {
  await until(async () => JSON.stringify(await readMetrics()) === JSON.stringify(expected));
}

interface Shown {
  readonly rows: number;
  /** The gateways that are marked because they differ from the one whose screen it is. */
  readonly marked: number;
  readonly words: string;
}

/** Reads the differences that the screen System of a gateway shows. */
async function readConsole(gateway: ReloadingGateway): Promise<Shown> {
  const open = await openConsole(browser, gateway, { at: '/system' });
  try {
    const section = open.page.getByRole('region', { name: 'Gateways', exact: true });
    await section.getByRole('table').waitFor();
    return {
      rows: await section.getByRole('row').count(),
      marked: await section.getByText('differs', { exact: true }).count(),
      words: (await section.textContent()) ?? '',
    };
  } finally {
    await open.close();
  }
}

test('gateways that differ only in their addresses, folders, files, log level and secrets have no drift', async () => {
  const [first] = gateways as [ReloadingGateway];
  let out = '';
  let digests: (string | undefined)[] = [];
  // A gateway reports its configuration a moment after its start.
  await until(async () => {
    out = await list(first);
    digests = [...out.matchAll(/ running +(\w+)/g)].map(([, digest]) => digest);
    return digests.length === COUNT && !digests.includes('unknown');
  });
  expect(out).not.toContain('differ');
  expect(new Set(digests).size).toBe(1);
  await untilMetricsAre(gateways.map(() => 0));
  const { rows, words } = await readConsole(first);
  expect(rows).toBe(COUNT + 1);
  expect(words).not.toContain('different configurations');
});

test('the command, the console and the metric show a drift until all gateways are reloaded', async () => {
  const [first, ...others] = gateways as [ReloadingGateway, ...ReloadingGateway[]];
  const last = others.at(-1) ?? first;
  // 1. The new files are on every machine.
  for (const [index, gateway] of gateways.entries()) {
    gateway.write(`plans-${index}.yaml`, createPlans({ minute: 500, day: 100_000 }));
    gateway.write(`shop-${index}.yaml`, createDocument({ pets: {}, news: {} }));
    gateway.configure(createSettings(index, 11));
  }
  // 2. A preview changes nothing.
  const preview = await run(first, 'config', 'preview');
  expect(preview).toMatchObject({ code: 0 });
  for (const line of [
    'removed: GET /orders (shop)',
    'changed plan: free (limits)',
    'from 10 to 11',
    'Nothing was applied',
  ])
    expect(preview.out).toContain(line);
  expect(await list(last)).not.toContain('differ');
  // 3. One gateway is reloaded.
  const watched = await openConsole(browser, last, { at: '/system' });
  const reload = await run(first, 'config', 'reload');
  expect(reload).toMatchObject({ code: 0 });
  const stopwatch = startStopwatch();
  expect(reload.out).toContain('changed plan: free (limits)');
  const parts = 'guard, plans, upstreams.shop.openapi';
  await untilMetricsAre([COUNT - 1, ...others.map(() => 1)]);
  for (const gateway of [first, last]) await until(async () => (await list(gateway)).includes(`in: ${parts}.`));
  await watched.page.getByText(`and is in: ${parts}.`).waitFor();
  expect(stopwatch.stop()).toBeLessThan(MAX_WAIT_MS);
  await watched.close();
  for (const [gateway, marked] of [
    [first, COUNT - 1],
    [last, 1],
  ] as const) {
    const words = expect.stringMatching(new RegExp(`different configurations.*${parts}`));
    expect(await readConsole(gateway)).toMatchObject({ marked, words });
  }
  // 4. The other gateways are reloaded. The plan is already applied.
  for (const gateway of others) expect(await run(gateway, 'config', 'reload')).toMatchObject({ code: 0 });
  // 5. Nothing is left to do.
  for (const gateway of gateways)
    expect((await run(gateway, 'config', 'preview')).out).toMatch(/A reload would change nothing\.\n$/);
  // 6. There is no drift.
  await untilMetricsAre(gateways.map(() => 0));
  for (const gateway of [first, last]) {
    expect(await list(gateway)).not.toContain('differ');
    const words = expect.not.stringContaining('different configurations');
    expect(await readConsole(gateway)).toMatchObject({ marked: 0, words });
  }
});

test('a gateway that reports no digest of its configuration is shown as unknown, and causes no drift', async () => {
  const [first, previous] = gateways as [ReloadingGateway, ReloadingGateway];
  // Simulate a version that reports no digest, which leaves the column empty.
  const client = new pg.Client({ connectionString: storage.locations.database });
  await client.connect();
  try {
    const { rows } = await client.query<{ now: string }>(
      'SELECT seen_at AS now FROM gateways ORDER BY seen_at DESC LIMIT 1',
    );
    await client.query(
      `INSERT INTO gateways (id, host, version, started_at, seen_at) VALUES ('previous', 'machine', '1.0.0', $1, $1)`,
      [Number(rows[0]?.now)],
    );
  } finally {
    await client.end();
  }
  const out = await list(first);
  expect(out).toMatch(/^previous .* 1\.0\.0 .*unknown/m);
  expect(out).not.toContain('differ');
  const { words } = await readConsole(previous);
  expect(words).toContain('unknown');
  expect(words).not.toContain('different configurations');
});
