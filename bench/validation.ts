import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCpuMicros } from './lab/cpu.ts';
import { startGateway } from './lab/gateway.ts';
import { benchFolder, type Lab } from './lab/lab.ts';
import { findFreePort, isAccepting } from './lab/ports.ts';
import { startProgram, waitUntil } from './lab/process.ts';
import type { RepeatedRequest } from './lab/repeat-requests.ts';
import { parseLabOptions, print, printProgress, withLab } from './lab/session.ts';
import { median } from './measure.ts';
import { formatTable } from './table.ts';

const values = parseLabOptions(
  {
    only: { type: 'string', default: 'list,pet,order' },
    before: { type: 'string' },
    turns: { type: 'string', default: '100' },
    requests: { type: 'string', default: '1500' },
  },
  `npm run validation -- [options]

What it costs to compare requests with the document of their service. One gateway has three services that differ only in
\`validation\`. They take turns of a fraction of a second.

  --only A,B        which requests: list, pet, order, upload-1mb, upload-10mb, upload-10mb-chunked, upload-200kb
                    (list,pet,order)
  --before DIR      also measures another checkout without validation, and this one with \`off\` only
  --turns N         how often each is measured (100)
  --requests N      the number of requests in a turn (1,500); of uploads, one for each 100 of these`,
);

const pet = { name: '', categoryId: 1, status: 'available' };
const PET_BYTES = 191;
pet.name = 'x'.repeat(PET_BYTES - JSON.stringify(pet).length);

interface Kind {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly bodyRepetitions: number;
  readonly isChunked: boolean;
  readonly isUpload: boolean;
}

const PART_BYTES = 100_000;
const PIECE = `${JSON.stringify({ id: 12345, name: 'A note of some length', tags: ['one', 'two'] })},`.padEnd(100);
/** Bodies longer than `validation.maxBody` are not checked, so they need not be JSON. */
const createUpload = (bytes: number, isChunked: boolean): Kind => {
  const body = PIECE.repeat(PART_BYTES / PIECE.length);
  const bodyRepetitions = bytes / PART_BYTES;
  return { method: 'POST', path: '/notes', body, bodyRepetitions, isChunked, isUpload: true };
};
const createRequest = (method: string, path: string, body: object | null): Kind => {
  const text = body === null ? '' : JSON.stringify(body);
  return { method, path, body: text, bodyRepetitions: body === null ? 0 : 1, isChunked: false, isUpload: false };
};
const KINDS: Readonly<Record<string, Kind>> = {
  list: createRequest('GET', '/pets?limit=20&status=available', null),
  pet: createRequest('POST', '/pets', pet),
  order: createRequest('POST', '/store/orders', { petId: 1, quantity: 2, shipDate: '2026-11-30T12:00:00.000Z' }),
  'upload-200kb': {
    ...createUpload(PART_BYTES, false),
    body: `[${PIECE.repeat(2000).replace(/,\s*$/, '')}]`,
    bodyRepetitions: 1,
  },
  'upload-1mb': createUpload(1_000_000, false),
  'upload-10mb': createUpload(10_000_000, false),
  'upload-10mb-chunked': createUpload(10_000_000, true),
};

const MODES = ['off', 'report', 'enforce'] as const;

/** A service of a gateway that is measured. */
interface Measured {
  readonly title: string;
  readonly port: number;
  readonly key: string;
  /** The beginning of its paths. */
  readonly prefix: string;
  readonly pids: () => number[];
}

interface Services {
  readonly folder: string;
  readonly target: string;
}

function createUpstreams(root: string, { folder, target }: Services, modes: readonly (string | null)[]): object[] {
  return modes.flatMap((mode, index) => {
    const common = mode === null ? {} : { validation: mode };
    const id = `m${index}`;
    return [
      {
        name: `pets-${id}`,
        openapi: join(root, 'config/petstore.openapi.yaml'),
        module: join(benchFolder, 'servers/empty-service.ts'),
        prefix: `/${id}`,
        idPrefix: `${id}_`,
        events: false,
        ...common,
      },
      {
        name: `notes-${id}`,
        openapi: join(folder, 'notes.openapi.json'),
        targets: [target],
        prefix: `/${id}`,
        idPrefix: `${id}_`,
        ...common,
      },
    ];
  });
}

function writeNotesDocument(folder: string): void {
  const note = {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string', maxLength: 100 },
      tags: { type: 'array', items: { type: 'string' } },
    },
  };
  const content = { 'application/json': { schema: { type: 'array', items: note } } };
  const post = { operationId: 'addNotes', requestBody: { content }, responses: { 200: { description: 'OK' } } };
  const document = { openapi: '3.1.0', info: { title: 'Notes', version: '1' }, paths: { '/notes': { post } } };
  writeFileSync(join(folder, 'notes.openapi.json'), JSON.stringify(document));
}

async function startService(lab: Lab): Promise<string> {
  const port = await findFreePort();
  const program = startProgram(lab.otherCore, process.execPath, [join(benchFolder, 'servers/bodies.ts')], {
    env: { PORT: String(port) },
  });
  await waitUntil(program, () => isAccepting(port));
  return `http://127.0.0.1:${port}`;
}

async function startMeasured(
  lab: Lab,
  services: Services,
  titles: readonly string[],
  modes: readonly (string | null)[],
): Promise<Measured[]> {
  const settings = {
    upstreams: createUpstreams(lab.gatewayFolder, services, modes),
    edge: { maxBody: '20mb' },
  };
  const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process', settings });
  const key = await gateway.createKey();
  return titles.map((title, index) => ({
    title,
    port: Number(new URL(gateway.publicUrl).port),
    key,
    prefix: `/m${index}`,
    pids: () => gateway.program.pids(),
  }));
}

function createHead({ method, path, body, bodyRepetitions, isChunked }: Kind, { prefix, key }: Measured): string {
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length * bodyRepetitions}`;
  const framing = bodyRepetitions === 0 ? '' : `Content-Type: application/json\r\n${length}\r\n`;
  return `${method} ${prefix}${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${framing}\r\n`;
}

async function send(client: ChildProcess, request: RepeatedRequest): Promise<void> {
  client.send(request);
  const [{ error }] = (await once(client, 'message')) as [{ error: string | null }];
  if (error !== null) throw new Error(error);
}

/** The value below which this share of the values lies. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? Number.NaN;
}

/** The interval that contains the median with a probability of 95 %, from 2,000 samples of the values. */
function computeInterval(values: readonly number[]): readonly [number, number] {
  const pick = () => values[Math.floor(Math.random() * values.length)] ?? Number.NaN;
  const medians = Array.from({ length: 2000 }, () => median(values.map(pick)));
  return [quantile(medians, 0.025), quantile(medians, 0.975)];
}

async function measureKind(client: ChildProcess, name: string, all: readonly Measured[]): Promise<string[][]> {
  const kind = KINDS[name];
  if (kind === undefined) throw new Error(`there is no request ${name}`);
  // With `enforce`, bodies of more than 256 kB are refused.
  const servers = kind.isUpload ? all.filter(({ title }) => title !== 'enforce') : all;
  const count = Math.max(CONNECTIONS_OF_CLIENT, Math.round(Number(values.requests) / (kind.isUpload ? 100 : 1)));
  const megabytes = (kind.body.length * kind.bodyRepetitions) / 1e6;
  const unit = kind.isUpload ? megabytes : 1;
  const results = servers.map((): number[] => []);
  const run = async (server: Measured) => {
    const { body, bodyRepetitions, isChunked } = kind;
    const responseEnd = kind.isUpload ? '"available"}' : '{}';
    const request = { port: server.port, head: createHead(kind, server), body, bodyRepetitions, isChunked };
    const before = readCpuMicros(server.pids());
    await send(client, { ...request, responseEnd, count });
    return (readCpuMicros(server.pids()) - before) / count / unit;
  };
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) for (const server of servers) await run(server);
  for (let turn = 0; turn < Number(values.turns); turn++) {
    const order = [...servers.entries()];
    for (const [index, server] of turn % 2 === 0 ? order : order.toReversed()) {
      results[index]?.push(await run(server));
    }
  }
  printProgress(name);
  const [base = []] = results;
  return servers.map(({ title }, index) => {
    const cpu = results[index] ?? [];
    const differences = cpu.map((value, turn) => value - (base[turn] ?? Number.NaN));
    const ratios = cpu.map((value, turn) => value / (base[turn] ?? Number.NaN));
    const formatInterval = (of: readonly number[], digits: number) => {
      const [from, to] = computeInterval(of);
      return `${median(of).toFixed(digits)} (${from.toFixed(digits)} to ${to.toFixed(digits)})`;
    };
    return [
      `${name}, ${title}`,
      `${median(cpu).toFixed(1)} (${quantile(cpu, 0.25).toFixed(1)}–${quantile(cpu, 0.75).toFixed(1)})`,
      index === 0 ? '' : formatInterval(differences, 2),
      index === 0 ? '' : formatInterval(ratios, 3),
    ];
  });
}

const CONNECTIONS_OF_CLIENT = 8;
const WARM_UP_TURNS = 30;

await withLab(values, async (lab) => {
  const services = { folder: lab.folder('notes'), target: await startService(lab) };
  writeNotesDocument(services.folder);
  const servers = await startMeasured(lab, services, MODES, MODES);
  if (values.before !== undefined) {
    servers.push(...(await startMeasured(lab, services, ['off everywhere'], ['off'])));
    const there = { ...lab, gatewayFolder: resolve(values.before) };
    servers.push(...(await startMeasured(there, services, ['before'], [null])));
  }
  const client = fork(join(benchFolder, 'lab/repeat-requests.ts'), {
    execPath: 'taskset',
    execArgv: ['-c', String(lab.otherCore), process.execPath],
  });
  try {
    const rows: string[][] = [];
    for (const name of values.only.split(',')) rows.push(...(await measureKind(client, name, servers)));
    const head = ['', 'CPU, µs per request (or MB)', 'minus off', '/ off'];
    print(`${formatTable(head, rows)}\n\nMedians; quartiles, or 95 % intervals of the median.`);
  } finally {
    client.kill();
  }
});
