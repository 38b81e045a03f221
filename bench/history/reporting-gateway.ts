import { DAY_MS } from '../../src/base/time.ts';
import { openHistoryClient } from '../../src/control-plane/history/worker/history-client.ts';
import type { HistoryWorkerOptions } from '../../src/control-plane/history/worker/worker-messages.ts';
import type { UsageQuery } from '../../src/control-plane/history/store/history-store.ts';
import { startTestGateway } from '../../test/support/gateway/gateway.ts';
import { logger } from './database.ts';

/** What this process says: first where the gateway is, then, after each phase of reports, what became of them. */
export type Said =
  | { readonly kind: 'ready'; readonly url: string; readonly key: string }
  | { readonly kind: 'reported'; readonly done: number; readonly failed: number };

/** What it is told: to make reports without a pause, or to stop. */
export type Told = 'report' | 'stop' | 'exit';

/** A gateway in whose process reports of a large history are made, in a worker thread as always. */
const settings = JSON.parse(process.argv[2] ?? '') as HistoryWorkerOptions;
const gateway = await startTestGateway({ settings: { plans: process.argv[3] } });
const history = await openHistoryClient(settings, logger);
const say = (said: Said) => process.send?.(said);
const YEAR_MS = 365 * DAY_MS;
const year = () => ({ from: Date.now() - YEAR_MS, to: Date.now(), now: Date.now(), every: 'day', limit: 8 }) as const;
const queries: (() => UsageQuery)[] = [
  () => ({ ...year(), by: 'key' }),
  () => ({ ...year(), by: 'owner' }),
  () => ({ ...year(), by: 'plan' }),
  () => ({ ...year(), by: 'operation', plan: 'free' }),
];

let stopping = new AbortController();

async function report(): Promise<void> {
  stopping = new AbortController();
  let [done, failed] = [0, 0];
  for (let round = 0; !stopping.signal.aborted; round++) {
    try {
      await history.usage(queries[round % queries.length]!());
      done++;
    } catch {
      failed++;
    }
  }
  say({ kind: 'reported', done, failed });
}

process.on('message', (told: Told) => {
  if (told === 'report') void report();
  else stopping.abort();
  if (told === 'exit') process.exit();
});
say({ kind: 'ready', url: gateway.url, key: gateway.demoKey });
