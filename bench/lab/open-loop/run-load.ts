import { createHistogram } from 'node:perf_hooks';
import { poissonArrivals } from './arrivals.ts';
import { Connection } from './connection.ts';

/** Input of the generator. */
export interface LoadPlan {
  readonly port: number;
  /** The bytes of a request. All requests are the same. */
  readonly request: string;
  /** Expected status of every response. */
  readonly status: number;
  readonly connections: number;
  /**
   * Requests per second; null: a closed loop, in which each connection sends its next request when its response
   * arrives.
   */
  readonly perSecond: number | null;
  /** Duration of a load that comes first and is not counted. It warms up the contender and the generator. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly seed: number;
}

/** Times in ms. */
export interface LoadReport {
  readonly answers: number;
  readonly wrongStatus: number;
  /** Requests without a response some seconds after the last request was due, whether or not they were sent. */
  readonly unanswered: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** How late the generator sent requests, counted from when a request was due and a connection was free. */
  readonly lateP99: number;
}

/** Maximum time that the generator waits for responses after all requests are due. */
const MAX_WAIT_MS = 5000;

/**
 * Time that the generator sleeps while there is nothing to send. During that time, Redis and the upstream use its core.
 * A response may be noticed late by this time.
 */
const NAP_MS = 0.05;
const napSignal = new Int32Array(new SharedArrayBuffer(4));

/**
 * Sends requests when they are due. The latency of a request counts from when it was due, and includes any wait for a
 * free connection or for a late generator.
 *
 * Node's timers have a resolution of a millisecond, but most responses take less. So the generator does not use timers:
 * it looks at the clock, reads the data that has arrived, and naps while there is nothing to send. In a closed loop, it
 * never sleeps.
 *
 * @throws Error when a connection is lost
 */
export async function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const request = Buffer.from(plan.request, 'latin1');
  // Times in ns, with an error of at most 0.1%.
  const latencies = createHistogram({ lowest: 1, highest: 1e11, figures: 3 });
  const lateness = createHistogram({ lowest: 1, highest: 1e11, figures: 3 });
  const warmUpMs = plan.warmUpSeconds * 1000;
  const endMs = warmUpMs + plan.seconds * 1000;
  const arrivals = plan.perSecond === null ? null : poissonArrivals(plan.perSecond, endMs / 1000, plan.seed);
  const freeConnections: Connection[] = [];
  const { promise: finished, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let [sent, answered, wrongStatus, start] = [0, 0, 0, Infinity];

  const onAnswer = (connection: Connection, status: number) => {
    const now = performance.now();
    answered++;
    if (status !== plan.status) wrongStatus++;
    if (connection.intendedAt - start >= warmUpMs) latencies.record(toNs(now - connection.intendedAt));
    connection.freeSince = now;
    freeConnections.push(connection);
  };
  const connections: Connection[] = [];
  while (connections.length < plan.connections) connections.push(await Connection.open(plan.port, onAnswer, fail));
  freeConnections.push(...connections);

  /** When the next request is due, in ms from the start; Infinity after the last request. */
  const nextDue = (now: number) => (arrivals === null ? (now < endMs ? now : Infinity) : (arrivals[sent] ?? Infinity));

  const runTurn = () => {
    const now = performance.now() - start;
    for (let at = nextDue(now); at <= now && freeConnections.length > 0; at = nextDue(now)) {
      const connection = freeConnections.shift()!;
      connection.intendedAt = start + at;
      if (at >= warmUpMs) lateness.record(toNs(performance.now() - Math.max(start + at, connection.freeSince)));
      connection.send(request);
      sent++;
    }
    const isOver = nextDue(now) === Infinity && freeConnections.length === connections.length;
    if (isOver || now > endMs + MAX_WAIT_MS) return end();
    const canSend = freeConnections.length > 0 && start + nextDue(now) - performance.now() <= NAP_MS;
    if (arrivals !== null && !canSend) Atomics.wait(napSignal, 0, 0, NAP_MS);
    setImmediate(runTurn);
  };
  start = performance.now();
  runTurn();
  await finished;
  for (const connection of connections) connection.close();
  return {
    answers: answered,
    wrongStatus,
    unanswered: (arrivals?.length ?? sent) - answered,
    p50: percentileMs(latencies, 50),
    p99: percentileMs(latencies, 99),
    p999: percentileMs(latencies, 99.9),
    lateP99: percentileMs(lateness, 99),
  };
}

function toNs(durationMs: number): number {
  return Math.max(1, Math.round(durationMs * 1e6));
}

function percentileMs(histogram: { percentile(percent: number): number }, percent: number): number {
  return histogram.percentile(percent) / 1e6;
}
