/** The attack: bodies are so large, or read so slowly, that a gateway which buffers them runs out of memory. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { root } from '../../support/gateway/gateway.ts';
import { listening, type HttpService } from '../../support/services/http-service.ts';
import { contractTarget } from '../../support/gateway/gateway-with-upstreams.ts';
import { runGateway } from '../../support/gateway/process.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const MEGABYTE = 1024 ** 2;
/** The size of a body: four times the memory limit. */
const LARGE = 400 * MEGABYTE;
const LIMIT = 100 * MEGABYTE;
const chunk = Buffer.alloc(MEGABYTE / 4, 'x');

let service: HttpService;
let gateway: Awaited<ReturnType<typeof runGateway>>;
let key: string;

beforeAll(async () => {
  // The service counts the bytes that it receives, or sends as many as the query says. It buffers nothing.
  const server = createServer((req, res) => {
    let received = 0;
    req.on('data', (part: Buffer) => (received += part.length));
    const wanted = Number(new URL(req.url ?? '', 'http://x').searchParams.get('bytes') ?? 0);
    if (wanted === 0) {
      req.on('end', () => res.end(String(received)));
      return;
    }
    let sent = 0;
    const send = () => {
      while (sent < wanted && !res.destroyed) {
        sent += chunk.length;
        if (res.write(chunk)) continue;
        res.once('drain', send);
        return;
      }
      res.end();
    };
    send();
  });
  service = await listening(server);
  const folder = temporaryDirectory();
  const config = join(folder, 'gateway.yaml');
  const plans = join(root, 'config/plans.yaml');
  const upstreams = [{ ...contractTarget(service.url), maxBody: '2gb' }];
  writeFileSync(config, stringify({ demo: true, plans, upstreams, edge: { requestTimeout: '2m' } }));
  gateway = await runGateway(folder, { TOLLGATE_CONFIG: config });
  key = /tg_live_\w+/.exec(gateway.output())?.[0] ?? '';
  // Warm up first, so that code is compiled and pools are filled.
  await download(LIMIT);
  await upload(LIMIT);
});
afterAll(async () => {
  gateway.child.kill('SIGTERM');
  await gateway.ended();
  await service.close();
});

/** The gateway's resident memory in bytes, including buffers outside the heap. */
function memory(): number {
  const { pid } = gateway.child;
  if (!existsSync('/proc/self/status')) return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

const MEASUREMENTS = 3;

/**
 * Measures the peak growth of memory during `work`. Returns the smallest value of several runs, or that of the first
 * run below `limit`. A busy machine collects garbage late, but memory that is really in use shows up in every run.
 */
async function leastGrowth(limit: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let count = 0; count < MEASUREMENTS && least >= limit; count++) least = Math.min(least, await growth(work));
  return least;
}

async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = memory();
  let peak = before;
  const done = work().then(() => true);
  while (!(await Promise.race([done, sleep(20, false)]))) peak = Math.max(peak, memory());
  return peak - before;
}

function exchange(head: string, body: number, onData: (part: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.publicUrl);
    const socket = connect(Number(port), hostname);
    socket.on('data', onData).on('error', reject).on('close', resolve);
    socket.write(`${head}Host: x\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
    let sent = 0;
    const send = () => {
      while (sent < body) {
        sent += chunk.length;
        if (socket.write(chunk)) continue;
        socket.once('drain', send);
        return;
      }
    };
    send();
  });
}

async function download(bytes: number): Promise<number> {
  let received = 0;
  await exchange(`GET /large?bytes=${bytes} HTTP/1.1\r\n`, 0, (part) => (received += part.length));
  return received;
}

async function upload(bytes: number): Promise<string> {
  let text = '';
  const head = `POST /mirror HTTP/1.1\r\nContent-Length: ${bytes}\r\n`;
  await exchange(head, bytes, (part) => (text += String(part)));
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

test.each([
  ['download', async () => expect(await download(LARGE)).toBeGreaterThanOrEqual(LARGE)],
  ['upload', async () => expect(await upload(LARGE)).toBe(String(LARGE))],
])('forwarding a %s of 400 MB takes less than 100 MB of memory', async (_, work) => {
  expect(await leastGrowth(LIMIT, work)).toBeLessThan(LIMIT);
});

test('a consumer that does not read its response pauses the service, and takes less than 100 MB of memory', async () => {
  const { hostname, port } = new URL(gateway.publicUrl);
  const grown = await leastGrowth(LIMIT, async () => {
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).pause());
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write(`GET /large?bytes=${LARGE} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    }
    await sleep(1000);
    for (const socket of sockets) socket.destroy();
  });
  expect(grown).toBeLessThan(LIMIT);
});
