import type { TestGateway } from '../../test/support/gateway/gateway.ts';
import { waitForCalls } from '../../test/console/support/test-data.ts';

export interface Demo {
  /** The id of a banned key, with evidence of its requests. */
  readonly bannedKey: string;
}

interface Consumer {
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  /** Paths that are called one after another. */
  readonly paths: readonly string[];
  /** Calls in the busiest ten minutes. */
  readonly peak: number;
}

const CONSUMERS: readonly Consumer[] = [
  { name: 'Shop backend', owner: 'Acme Retail', plan: 'pro', paths: ['/pets', '/pets/1', '/pets?limit=20'], peak: 16 },
  { name: 'Mobile app', owner: 'Acme Retail', plan: 'pro', paths: ['/pets', '/pets/2'], peak: 11 },
  { name: 'Nightly report', owner: 'Northwind', plan: 'free', paths: ['/pets?limit=50'], peak: 5 },
  { name: 'Partner portal', owner: 'Globex', plan: 'free', paths: ['/pets', '/pets/3', '/nothing-here'], peak: 6 },
];
const CRAWLER: Consumer = { name: 'Crawler', owner: 'Initech', plan: 'free', paths: ['/pets'], peak: 0 };

const MINUTE_MS = 60_000;
const STEP_MS = 10 * MINUTE_MS;
const STEP_COUNT = 144;
/** The steps at which the crawler calls. */
const BURST_STEPS = new Set([60, 101]);
/** More calls than the minute limit of the free plan. */
const BURST_CALLS = 75;
/** A number of strikes that is enough for a ban. */
const STRIKES = 12;

/** Makes the calls of a day that ends at `untilMs`. @param turnClock sets the gateway's clock */
export async function playDay(gateway: TestGateway, untilMs: number, turnClock: (ms: number) => void): Promise<Demo> {
  turnClock(untilMs - STEP_COUNT * STEP_MS);
  const callers = await Promise.all(CONSUMERS.map(async (one) => ({ ...one, ...(await createKey(gateway, one)) })));
  const crawler = await createKey(gateway, CRAWLER);
  let calls = 0;
  const call = async (key: string, path: string, init: RequestInit = {}) => {
    await (await gateway.call(path, { key, ...init })).body?.cancel();
    calls++;
  };
  const create = (path: string, body: object) =>
    call(callers[0]?.key ?? '', path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  await create('/categories', { name: 'Rabbits' });
  /* oxlint-disable no-await-in-loop -- the clock is turned between the calls, and pets are called by their numbers */
  for (const name of ['Flopsy', 'Mopsy', 'Cotton-tail']) await create('/pets', { name, categoryId: 1 });
  for (let step = 1; step <= STEP_COUNT; step++) {
    turnClock(untilMs - (STEP_COUNT - step) * STEP_MS - 3 * MINUTE_MS);
    const share = computeLoad(untilMs - (STEP_COUNT - step) * STEP_MS);
    for (const { key, paths, peak } of callers) {
      const count = Math.round(peak * share);
      await Promise.all(Array.from({ length: count }, (_, index) => call(key, paths[index % paths.length] ?? '/pets')));
    }
    if (BURST_STEPS.has(step)) for (let index = 0; index < BURST_CALLS; index++) await call(crawler.key, '/pets');
  }
  turnClock(untilMs - 30_000);
  for (let index = 0; index < BURST_CALLS; index++) await call(crawler.key, '/pets');
  // The crawler ignores `Retry-After` and gets banned.
  turnClock(untilMs - 25_000);
  for (let index = 0; index < STRIKES; index++) await call(crawler.key, '/pets');
  /* oxlint-enable no-await-in-loop */
  turnClock(untilMs);
  await waitForCalls(gateway, calls);
  await waitForLastUses(gateway);
  return { bannedKey: crawler.id };
}

/** The load from 0 to 1: low at night, highest at 13:00 UTC, and slightly uneven. */
function computeLoad(atMs: number): number {
  const hours = (atMs / 3_600_000) % 24;
  return 0.12 + 0.78 * Math.sin(((hours - 1) / 24) * Math.PI) ** 2 + 0.1 * Math.sin(hours * 10) ** 2;
}

/** Waits until the last uses of keys are recorded, which happens a while after the calls. */
async function waitForLastUses(gateway: TestGateway): Promise<void> {
  for (;;) {
    const response = await gateway.admin('/v1/keys');
    const { items } = (await response.json()) as { items: { lastUsedAt: string | null }[] };
    if (items.every(({ lastUsedAt }) => lastUsedAt !== null)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function createKey(gateway: TestGateway, { name, owner, plan }: Consumer): Promise<{ id: string; key: string }> {
  const headers = { 'X-Change-Reason': 'Signed the contract' };
  const body = JSON.stringify({ name, owner, plan });
  const response = await gateway.admin('/v1/keys', { method: 'POST', body, headers });
  if (response.status !== 201) throw new Error(`no key was created: ${await response.text()}`);
  return (await response.json()) as { id: string; key: string };
}
