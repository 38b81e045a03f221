/** A thread that sends requests one after the other on one connection, until a time is over. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface ClientInput {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface ClientReport {
  readonly status: number;
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const { url, method, headers, body } = workerData as ClientInput;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function send(): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (response) => {
      response.on('data', () => {}).on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject).end(body);
  });
}

// oxlint-disable-next-line typescript/no-misused-promises -- an error ends the thread, and then the bench
parentPort?.on('message', async (untilMs: number) => {
  const times: number[] = [];
  let status = 0;
  do {
    const start = performance.now();
    status = await send();
    times.push(performance.now() - start);
  } while (Date.now() < untilMs);
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
  const measured: ClientReport = {
    status,
    count: times.length,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(measured);
});
