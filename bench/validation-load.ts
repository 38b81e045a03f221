import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../test/support/gateway/gateway.ts';
import { killAtExit } from '../test/support/gateway/process.ts';
import { tempFolder } from '../test/support/temp-folder.ts';
import type { TurnReport } from './beside/watch-turns.ts';
import { readCpuMicros } from './lab/cpu.ts';
import { median } from './measure.ts';
import { parseOptions } from './options.ts';
import { formatTable } from './table.ts';

const values = parseOptions(
  {
    before: { type: 'string' },
    rounds: { type: 'string', default: '12' },
    operations: { type: 'string', default: '5000' },
    modes: { type: 'string', default: 'off,report,enforce' },
  },
  `npm run validation-load -- [options]

What \`validation\` adds to a start and to a reload of a changed document. The modes take turns.

  --before DIR      also measures the gateway of another checkout
  --rounds N        how often each mode is started and reloaded (12)
  --operations N    the number of operations in the document (5,000)
  --modes A,B       off, report, enforce (all); the first is compared with the others`,
);

const TOKEN = 'bench-admin-token-0123456789abcdef';
const WATCH = join(import.meta.dirname, 'beside/watch-turns.ts');
const START_WITHIN_MS = 60_000;
const operationCount = Number(values.operations);
const folder = tempFolder();
const openapi = join(folder.path, 'things.openapi.json');

/** Creates four operations for each resource, as the documents of large APIs have them: 150 schemas for 1,000 operations. */
function createDocument(version: number): string {
  const string = (more: object = {}) => ({ type: 'string', ...more });
  const integer = (more: object = {}) => ({ type: 'integer', ...more });
  const schemas: Record<string, object> = {};
  const schemaCount = Math.ceil(operationCount * 0.15);
  for (let index = 0; index < schemaCount; index++) {
    const next = { $ref: `#/components/schemas/Thing${(index * 7 + 1) % schemaCount}` };
    schemas[`Thing${index}`] = {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: integer({ format: 'int64', readOnly: true }),
        name: string({ minLength: 1, maxLength: 200 }),
        code: string({ pattern: `^[A-Z]{2,${(index % 30) + 3}}$` }),
        state: string({ enum: ['open', 'closed', 'lost'] }),
        createdAt: string({ format: 'date-time' }),
        tags: { type: 'array', items: string(), maxItems: 20 },
        owner: { type: 'object', properties: { login: string(), site: string({ format: 'uri' }) } },
        parts: { type: 'array', items: next },
      },
    };
  }
  const limit = { name: 'limit', in: 'query', schema: integer({ minimum: 1, maximum: 100 }) };
  const content = (schema: object) => ({ 'application/json': { schema } });
  const paths: Record<string, object> = {};
  for (let index = 0; index < operationCount / 4; index++) {
    const thing = { $ref: `#/components/schemas/Thing${index % schemaCount}` };
    const respond = (schema: object) => ({ 200: { description: 'OK', content: content(schema) } });
    const requestBody = { required: true, content: content(thing) };
    const state = { name: 'state', in: 'query', schema: string({ enum: ['open', 'closed'] }) };
    paths[`/things${index}`] = {
      get: {
        operationId: `list${index}`,
        parameters: [{ $ref: '#/components/parameters/Limit' }, state],
        responses: respond({ type: 'array', items: thing }),
      },
      post: { operationId: `add${index}`, requestBody, responses: respond(thing) },
    };
    paths[`/things${index}/{id}`] = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer() }],
      get: { operationId: `get${index}`, responses: respond(thing) },
      put: { operationId: `put${index}`, requestBody, responses: respond(thing) },
    };
  }
  const info = { title: 'Things', version: String(version) };
  return JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas, parameters: { Limit: limit } } });
}

interface Contender {
  readonly title: string;
  readonly checkout: string;
  readonly mode: string;
  readonly results: Result[];
}

/** All times are in ms. */
interface Result {
  readonly startMs: number;
  readonly startCpuMs: number;
  readonly reloadMs: number;
  readonly reloadCpuMs: number;
  readonly turnMs: number;
  readonly turnOwnMs: number;
}

async function ask(child: ChildProcess, message: 'reset' | 'report'): Promise<unknown> {
  const response = once(child, 'message');
  child.send(message);
  return ((await response) as unknown[])[0];
}

let version = 0;

async function measure({ checkout, mode }: Contender, cache: string): Promise<Result> {
  const dataDir = join(folder.path, `data-${++version}`);
  mkdirSync(dataDir);
  const module = join(root, 'test/support/services/contract-service.ts');
  const upstreams = [{ name: 'things', openapi, module, ...(mode === 'off' ? {} : { validation: mode }) }];
  writeFileSync(
    join(dataDir, 'gateway.yaml'),
    JSON.stringify({ plans: join(checkout, 'config/plans.yaml'), upstreams }),
  );
  writeFileSync(openapi, createDocument(version));
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', WATCH, join(checkout, 'src/main.ts')], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: cache,
      TOLLGATE_CONFIG: join(dataDir, 'gateway.yaml'),
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_ADMIN_TOKEN: TOKEN,
      TOLLGATE_PORT: '0',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_PORTAL_PORT: '0',
    },
  });
  killAtExit(child);
  let output = '';
  const adminUrl = await new Promise<string>((resolveUrl, reject) => {
    const timer = setTimeout(() => reject(new Error(`the gateway did not start: ${output}`)), START_WITHIN_MS);
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const [, url] = /"adminUrl":"([^"]+)"/.exec(output) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolveUrl(url);
    });
  });
  const startMs = performance.now() - startedAt;
  const startCpuMs = readCpuMicros([child.pid ?? 0]) / 1000;
  const reloads: Omit<Result, 'startMs' | 'startCpuMs'>[] = [];
  for (let reload = 0; reload < RELOADS; reload++) {
    // Work that the start has put off must not count.
    await sleep(1000);
    writeFileSync(openapi, createDocument(++version));
    await ask(child, 'reset');
    const reloadedAt = performance.now();
    const response = await fetch(`${adminUrl}/v1/config/reload`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    const reloadMs = performance.now() - reloadedAt;
    const { wallMs: turnMs, ownMs: turnOwnMs, threadCpuMs: reloadCpuMs } = (await ask(child, 'report')) as TurnReport;
    reloads.push({ reloadMs, reloadCpuMs, turnMs, turnOwnMs });
  }
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const at = (figure: keyof (typeof reloads)[number]) => median(reloads.map((each) => each[figure]));
  return {
    startMs,
    startCpuMs,
    reloadMs: at('reloadMs'),
    reloadCpuMs: at('reloadCpuMs'),
    turnMs: at('turnMs'),
    turnOwnMs: at('turnOwnMs'),
  };
}

const RELOADS = 3;

const createContenders = (checkout: string, suffix: string): Contender[] =>
  values.modes.split(',').map((mode) => ({ title: `${mode}${suffix}`, checkout, mode, results: [] }));
const contenders = [
  ...createContenders(root, ''),
  ...(values.before === undefined ? [] : createContenders(resolve(values.before), ', before')),
];
const cache = join(folder.path, 'compiled');
try {
  // The first start of each compiles its code and keeps it.
  for (const contender of contenders) await measure(contender, cache);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      contender.results.push(await measure(contender, cache));
    }
    process.stderr.write(`round ${round + 1}/${values.rounds}\n`);
  }
} finally {
  folder.remove();
}

const FIGURES = [
  ['start, wall', 'startMs'],
  ['start, CPU', 'startCpuMs'],
  ['reload, wall', 'reloadMs'],
  ['reload, CPU of the main thread', 'reloadCpuMs'],
  ['longest turn', 'turnMs'],
  ['longest turn, own CPU', 'turnOwnMs'],
] as const;

/** The quartiles of a list. */
function formatQuartiles(numbers: readonly number[], digits: number): string {
  const sorted = numbers.toSorted((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return `${median(numbers).toFixed(digits)} (${quantile(0.25).toFixed(digits)} to ${quantile(0.75).toFixed(digits)})`;
}

const rows = FIGURES.flatMap(([title, figure]) =>
  contenders.map((contender) => {
    // Compared with the same checkout.
    const base = contenders.find(({ checkout }) => checkout === contender.checkout) ?? contender;
    const all = contender.results.map((result) => result[figure]);
    const differences = all.map((ms, round) => ms - (base.results[round]?.[figure] ?? Number.NaN));
    return [
      `${title}: ${contender.title}`,
      formatQuartiles(all, 1),
      base === contender ? '' : formatQuartiles(differences, 1),
    ];
  }),
);
const first = values.modes.split(',')[0];
process.stdout.write(
  `${formatTable([`${operationCount.toLocaleString('en')} operations, ms`, 'median (quartiles)', `minus ${first}`], rows)}\n`,
);
