import { setTimeout as sleep } from 'node:timers/promises';
import { toRunningContender, type Contender, type Running } from './contenders/contender.ts';
import { contenders } from './contenders/index.ts';
import { readResidentBytes } from './lab/cpu.ts';
import { startGateway, type StoreKind } from './lab/gateway.ts';
import { openIdleConnections } from './lab/idle.ts';
import type { Lab } from './lab/lab.ts';
import { seedRegistry } from './lab/seed.ts';
import { parseLabOptions, print, printProgress, withLab } from './lab/session.ts';
import { findMissing } from './lab/tools.ts';
import { runWrk } from './lab/wrk.ts';
import { checkResponse, warmUp } from './measure.ts';
import { formatTable } from './table.ts';

/**
 * The default contenders. Runs with refused or banned keys are left out, because such keys use as much memory as
 * admitted ones.
 */
const DEFAULT_CONTENDERS =
  'bare-http,bare-express,in-process-embedded,in-process,undici-proxy,http-upstream-embedded,http-upstream,' +
  'obvious,fast-gateway,fast-gateway-3,fastify,nginx-lua,haproxy';

const values = parseLabOptions(
  {
    only: { type: 'string', default: `${DEFAULT_CONTENDERS},known-keys` },
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
    print(`${formatTable(['MB of resident memory', 'started', 'at rest after load', 'kB per connection'], rows)}\n`);
  }
  if (names.includes('known-keys')) print(`${await measureKnownKeys(lab)}\n`);
});

async function toRow(lab: Lab, contender: Contender): Promise<string[]> {
  printProgress(contender.name);
  const toFailedRow = (reason: string) => [contender.title, reason, '', ''];
  const missingTools = findMissing(contender.needs ?? []);
  if (missingTools.length > 0)
    return toFailedRow(`skipped: needs ${missingTools.map((tool) => tool.package).join(', ')}`);
  let running: Running | undefined;
  try {
    running = await contender.start(lab);
    await checkResponse(running);
    const started = await measureSettled(running);
    await warmUp(lab, running, load);
    const atRest = await measureSettled(running);
    return [
      contender.title,
      formatMegabytes(started),
      formatMegabytes(atRest),
      await measurePerConnection(running, atRest),
    ];
  } catch (error) {
    return toFailedRow(`failed: ${(error as Error).message}`);
  } finally {
    await running?.stop();
  }
}

/** Measures the memory of an idle keep-alive connection, in kB. Each connection is used for one request before. */
async function measurePerConnection(running: Running, before: number): Promise<string> {
  const sockets = await openIdleConnections(running.url, running.headers['X-API-Key']!, count);
  try {
    // Do not wait longer, because servers on Node close connections that are idle for five seconds.
    await sleep(2000);
    const after = readResidentBytes(running.pids());
    const open = sockets.filter((socket) => !socket.readableEnded && !socket.destroyed).length;
    if (open < count) return `${count - open} of ${count} were closed`;
    return ((after - before) / 1024 / count).toFixed(1);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Measures the memory of keys that were used once: cached credentials, counters, and data for the history. */
async function measureKnownKeys(lab: Lab): Promise<string> {
  const rows: string[][] = [];
  for (const store of ['embedded', 'redis'] as const) {
    printProgress(`known keys, ${store}`);
    rows.push([store === 'redis' ? 'Redis' : 'embedded store', await measurePerTenThousandKeys(lab, store)]);
  }
  return formatTable([`${keys.toLocaleString('en')} keys, each used once`, 'MB for 10,000'], rows);
}

async function measurePerTenThousandKeys(lab: Lab, store: StoreKind): Promise<string> {
  const { dataDir, oneKey, rotation } = await seedRegistry(lab, keys);
  const gateway = await startGateway(lab, { store, upstream: 'in-process', dataDir });
  const running = toRunningContender(gateway, oneKey);
  await warmUp(lab, running, load);
  const before = await measureSettled(running);
  let used = 0;
  while (used < keys) {
    const { url, headers } = running;
    const report = await runWrk({
      url,
      headers,
      seconds: 1,
      connections: 64,
      core: lab.otherCore,
      requests: { rotation },
    });
    used += report.requests;
  }
  const after = await measureSettled(running);
  await running.stop();
  return ((after - before) / 2 ** 20 / (keys / 10_000)).toFixed(1);
}

/** Measures the lowest memory while the contender is idle, because V8 gives memory back only then. */
async function measureSettled(running: Running): Promise<number> {
  let lowest = readResidentBytes(running.pids());
  for (let second = 0; second < Number(values['idle-seconds']); second++) {
    await sleep(1000);
    lowest = Math.min(lowest, readResidentBytes(running.pids()));
  }
  return lowest;
}

function formatMegabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
