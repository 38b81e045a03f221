import { setTimeout as sleep } from 'node:timers/promises';
import { asRunning, type Contender, type Running } from './contenders/contender.ts';
import { contenders } from './contenders/index.ts';
import { residentBytes } from './lab/cpu.ts';
import { startGateway, type StoreKind } from './lab/gateway.ts';
import { openIdle } from './lab/idle.ts';
import type { Lab } from './lab/lab.ts';
import { seed } from './lab/seed.ts';
import { options, print, progress, withLab } from './lab/session.ts';
import { missing } from './lab/tools.ts';
import { wrk } from './lab/wrk.ts';
import { checkAnswer, warmUp } from './measure.ts';
import { markdown } from './table.ts';

/**
 * The default contenders. Those with refused and banned keys are left out: they need as much memory as admitted keys.
 */
const TAKING_PART =
  'bare-http,bare-express,in-process-embedded,in-process,undici-proxy,http-upstream-embedded,http-upstream,' +
  'obvious,fast-gateway,fast-gateway-3,fastify,nginx-lua,haproxy';

const values = options(
  {
    only: { type: 'string', default: `${TAKING_PART},known-keys` },
    connections: { type: 'string', default: '5000' },
    keys: { type: 'string', default: '40000' },
    'idle-seconds': { type: 'string', default: '10' },
  },
  `npm run memory -- [options]

Resident memory, summed over the processes of each: after its start, at rest after load, of idle connections, and (of
Tollgate) of keys that were used once.

  --only A,B          contenders of "npm run bench -- --list", and known-keys
  --connections N     how many idle connections (5000)
  --keys N            how many keys are used (40000)
  --idle-seconds N    how long it rests while it is measured: the least counts (10)`,
);
const count = Number(values.connections);
const keys = Number(values.keys);
const load = { seconds: 2, connections: 64 };

await withLab(values, async (lab) => {
  const names = values.only.split(',');
  const unknown = names.filter((name) => name !== 'known-keys' && !contenders.some((each) => each.name === name));
  if (unknown.length > 0) throw new Error(`no such contender: ${unknown.join(', ')} (npm run bench -- --list)`);
  const chosen = contenders.filter(({ name }) => names.includes(name));
  if (chosen.length > 0) {
    const rows: string[][] = [];
    // Contenders run one after another, so that each has the machine's memory to itself.
    for (const contender of chosen) rows.push(await toRow(lab, contender));
    print(`${markdown(['MB of resident memory', 'started', 'at rest after load', 'kB per connection'], rows)}\n`);
  }
  if (names.includes('known-keys')) print(`${await knownKeys(lab)}\n`);
});

async function toRow(lab: Lab, contender: Contender): Promise<string[]> {
  progress(contender.name);
  const failed = (reason: string) => [contender.title, reason, '', ''];
  const absent = missing(contender.needs ?? []);
  if (absent.length > 0) return failed(`skipped: needs ${absent.map((tool) => tool.package).join(', ')}`);
  let running: Running | undefined;
  try {
    running = await contender.start(lab);
    await checkAnswer(running);
    const started = await settled(running);
    await warmUp(lab, running, load);
    const atRest = await settled(running);
    return [contender.title, megabytes(started), megabytes(atRest), await perConnection(running, atRest)];
  } catch (error) {
    return failed(`failed: ${(error as Error).message}`);
  } finally {
    await running?.stop();
  }
}

/** Measures the memory of an idle keep-alive connection, in kB. Each connection is used for one request before. */
async function perConnection(running: Running, before: number): Promise<string> {
  const sockets = await openIdle(running.url, running.headers['X-API-Key']!, count);
  try {
    // Do not wait longer, because servers on Node close connections that are idle for five seconds.
    await sleep(2000);
    const after = residentBytes(running.pids());
    const open = sockets.filter((socket) => !socket.readableEnded && !socket.destroyed).length;
    if (open < count) return `${count - open} of ${count} were closed`;
    return ((after - before) / 1024 / count).toFixed(1);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Measures the memory of keys that were used once: cached credentials, counters, and data for the history. */
async function knownKeys(lab: Lab): Promise<string> {
  const rows: string[][] = [];
  for (const store of ['embedded', 'redis'] as const) {
    progress(`known keys, ${store}`);
    rows.push([store === 'redis' ? 'Redis' : 'embedded store', await perTenThousandKeys(lab, store)]);
  }
  return markdown([`${keys.toLocaleString('en')} keys, each used once`, 'MB for 10,000'], rows);
}

async function perTenThousandKeys(lab: Lab, store: StoreKind): Promise<string> {
  const { dataDir, oneKey, rotation } = await seed(lab, keys);
  const gateway = await startGateway(lab, { store, upstream: 'in-process', dataDir });
  const running = asRunning(gateway, oneKey);
  await warmUp(lab, running, load);
  const before = await settled(running);
  let used = 0;
  while (used < keys) {
    const { url, headers } = running;
    const report = await wrk({
      url,
      headers,
      seconds: 1,
      connections: 64,
      core: lab.otherCore,
      requests: { rotation },
    });
    used += report.requests;
  }
  const after = await settled(running);
  await running.stop();
  return ((after - before) / 2 ** 20 / (keys / 10_000)).toFixed(1);
}

/** Measures the lowest memory while the contender is idle, because V8 gives memory back only then. */
async function settled(running: Running): Promise<number> {
  let least = residentBytes(running.pids());
  for (let second = 0; second < Number(values['idle-seconds']); second++) {
    await sleep(1000);
    least = Math.min(least, residentBytes(running.pids()));
  }
  return least;
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
