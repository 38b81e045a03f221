import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startGateway, type StoreKind } from './lab/gateway.ts';
import { seedRegistry } from './lab/seed.ts';
import { parseLabOptions, print, printProgress, withLab } from './lab/session.ts';
import { runWrk } from './lab/wrk.ts';
import { formatTable } from './table.ts';

const values = parseLabOptions(
  {
    seconds: { type: 'string', default: '10' },
    store: { type: 'string', default: 'embedded' },
    upstream: { type: 'string', default: 'in-process' },
    rotating: { type: 'string' },
    folder: { type: 'string', default: 'profiles' },
    top: { type: 'string', default: '40' },
  },
  `npm run profile -- [options]

  --store X         embedded (default) or redis
  --upstream X      in-process (default) or http
  --rotating N      with so many keys in rotation, in place of one key
  --seconds N       for how long (10), after as much to warm up
  --out DIR         where the .cpuprofile goes (profiles), for Chrome DevTools
  --top N           how many functions are listed (40)`,
);

/** The format that `--cpu-prof` writes. Times are in microseconds of the monotonic clock. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

await withLab(values, async (lab) => {
  const folder = resolve(values.folder);
  mkdirSync(folder, { recursive: true });
  const store = values.store as StoreKind;
  const upstream = values.upstream as 'in-process' | 'http';
  const nodeOptions = ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', folder];
  const seededRegistry = values.rotating === undefined ? null : await seedRegistry(lab, Number(values.rotating));
  const where = seededRegistry === null ? {} : { dataDir: seededRegistry.dataDir };
  const gateway = await startGateway(lab, { store, upstream, nodeOptions, ...where });
  const load = {
    url: gateway.petUrl,
    headers: { 'X-API-Key': seededRegistry?.oneKey ?? (await gateway.createKey()) },
    requests: seededRegistry === null ? undefined : { rotation: seededRegistry.rotation },
    seconds: Number(values.seconds),
    connections: 64,
    core: lab.otherCore,
  };
  printProgress('warming up');
  await runWrk(load);
  printProgress('profiling');
  const startedAt = readClock();
  const { requests } = await runWrk(load);
  const to = readClock();
  // The gateway writes the profile after it has drained.
  await gateway.program.stop(30_000);
  const file = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile') && name.includes(`.${gateway.program.pid}.`))
    .map((name) => join(folder, name))[0];
  if (file === undefined) throw new Error(`no profile was written to ${folder}`);
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  print(`${file}\n\n${summarize(profile, startedAt, to, requests)}`);
});

/** Reads the clock of the profile, in µs. */
function readClock(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Lists where time was spent between two moments, by package or folder and by function, in µs per request. */
function summarize(profile: CpuProfile, from: number, to: number, requests: number): string {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byPlace, byFunction] = [new Map<string, number>(), new Map<string, number>()];
  const add = (into: Map<string, number>, name: string, time: number) => into.set(name, (into.get(name) ?? 0) + time);
  let at = profile.startTime;
  let totalTime = 0;
  for (const [index, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[index] ?? 0;
    at += time;
    const frame = frames.get(id);
    if (frame === undefined || at < from || at > to) continue;
    const { functionName, url, lineNumber } = frame;
    if (functionName === '(idle)') continue;
    totalTime += time;
    add(byPlace, formatPlace(url, functionName), time);
    const where = url === '' ? '' : `${url.replace(/^.*\/(?=[^/]*\/[^/]*$)/, '')}:${lineNumber + 1}`;
    add(byFunction, `${functionName === '' ? '(anonymous)' : functionName} ${where}`.trim(), time);
  }
  const formatTimes = (title: string, of: Map<string, number>, most: number) =>
    formatTable(
      [title, 'µs/request', 'share'],
      [...of]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, most)
        .map(([name, time]) => [name, (time / requests).toFixed(2), `${((time / totalTime) * 100).toFixed(1)}%`]),
    );
  const count = requests.toLocaleString('en');
  return `${count} requests, ${(totalTime / requests).toFixed(1)} µs each on the main thread, with the profiler's own part.\n
${formatTimes('where', byPlace, 20)}\n
${formatTimes('function, without what it calls', byFunction, Number(values.top))}\n`;
}

function formatPlace(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (dependency !== undefined) return dependency;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  return /\/(src(?:\/[^/]+)?)\/[^/]+$/.exec(url)?.[1] ?? url;
}
