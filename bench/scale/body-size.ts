import { join } from 'node:path';
import { toRunningContender, type Running } from '../contenders/contender.ts';
import { undiciProxy } from '../contenders/undici-proxy.ts';
import { type ComparedServer, measureInTurn, computeRatio, formatTimes } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import { benchFolder, type Lab } from '../lab/lab.ts';
import { isAccepting, findFreePort } from '../lab/ports.ts';
import { startProgram, waitUntil } from '../lab/process.ts';
import { formatTable } from '../table.ts';
import { makeService } from './services.ts';
import type { ScaleRun } from './scale-run.ts';

const SIZES = [
  { title: 'none', bytes: 0 },
  { title: '1 kB', bytes: 1000 },
  { title: '100 kB', bytes: 100_000 },
  { title: '1 MB', bytes: 1_000_000 },
  { title: '10 MB', bytes: 10_000_000 },
] as const;

interface Exchange {
  readonly title: string;
  readonly path: string;
  readonly answerBytes?: number;
  readonly postedBytes?: number;
}

const EXCHANGES = SIZES.flatMap(({ title, bytes }): Exchange[] => [
  { title: `answers, ${title}`, path: `/pets/${bytes}`, answerBytes: bytes },
  { title: `requests, ${title}`, path: '/pets/1', postedBytes: bytes },
]);

/**
 * There are fewer clients than in other runs, because more bodies in transit would exceed the caches of any machine.
 */
const CONNECTIONS = 8;

/** Measures the cost of request and response bodies, compared with the bare proxy. */
export const measureBodySize: ScaleRun = async (lab, { inTurn }) => {
  const upstream = await startBodies(lab);
  const gateway = await startForwarding({ ...lab, upstream });
  const proxy = await undiciProxy.start({ ...lab, upstream });
  const servers = EXCHANGES.flatMap((exchange) => createPair(proxy, gateway, exchange));
  const measured = await measureInTurn(lab, servers, { ...inTurn, connections: CONNECTIONS });
  const rows = EXCHANGES.map(({ title }, index) => {
    const [bare, ours] = [measured[2 * index]!, measured[2 * index + 1]!];
    return [title, formatTimes(bare), formatTimes(ours), computeRatio(ours, bare).text];
  });
  return formatTable(
    ['bodies of', 'bare undici proxy, CPU µs/request', 'Tollgate, HTTP upstream, embedded store', 'ratio'],
    rows,
  );
};

function createPair(
  proxy: Running,
  gateway: Running,
  { title, path, answerBytes, postedBytes }: Exchange,
): ComparedServer[] {
  const contenders = [
    { by: 'bare undici proxy', running: proxy },
    { by: 'Tollgate', running: gateway },
  ];
  return contenders.map(({ by, running }) => ({
    title: `${title}, ${by}`,
    start: async () => ({ ...running, url: new URL(path, running.url).href, answerBytes }),
    requests: postedBytes === undefined ? undefined : { postedBytes },
    // The requests of the first sizes have already compiled the code for all sizes.
    warmUpRequests: 1,
  }));
}

async function startForwarding(lab: Lab): Promise<Running> {
  const { upstream } = makeService(lab.folder('services'), {
    name: 'bodies',
    target: lab.upstream.url,
    paths: ['/pets/{petId}'],
    methods: ['get', 'post'],
  });
  const settings = { upstreams: [upstream], edge: { maxBody: '20mb' } };
  const gateway = await startGateway(lab, { store: 'embedded', upstream: 'http', settings });
  return toRunningContender(gateway, await gateway.createKey());
}

async function startBodies(lab: Lab): Promise<Lab['upstream']> {
  const port = await findFreePort();
  const program = startProgram(lab.otherCore, process.execPath, [join(benchFolder, 'servers/bodies.ts')], {
    env: { PORT: String(port) },
  });
  await waitUntil(program, () => isAccepting(port));
  return { url: `http://127.0.0.1:${port}`, port };
}
