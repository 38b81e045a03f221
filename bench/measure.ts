import type { RedisWork, Running } from './contenders/contender.ts';
import { readCommandStats } from './lab/command-stats.ts';
import { readCpuSeconds } from './lab/cpu.ts';
import type { Lab } from './lab/lab.ts';
import { runWrk, type Report, type Requests } from './lab/wrk.ts';

/** The figures of one contender in one round. Times per request are µs of CPU time, and latencies are ms. */
export interface Sample {
  readonly cpu: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU time of Redis for the contender, on the other core. */
  readonly redisCpu: number;
  /**
   * The share of its core that the contender used, 0 to 1. Below 1, the bottleneck was the load and not the contender.
   */
  readonly busy: number;
}

export interface LoadOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly requests?: Requests | undefined;
  /** Seconds of load before a measurement; 0: none; omitted: `REWARM_SECONDS`. */
  readonly rewarm?: number;
  /** The number of requests for the warm-up, all within 15 minutes; omitted: `WARM_UP.requests`. */
  readonly warmUpRequests?: number | undefined;
}

/** Duration of a load before each measurement, because other contenders have filled the caches in the meantime. */
const REWARM_SECONDS = 1;
const WARM_UP = { requests: 150_000, longest: 16, longestForRequests: 900, slice: 2 } as const;

/**
 * Applies load until V8 has compiled everything. Its compiler threads share the contender's core, so this takes
 * seconds. The load ends after a number of requests and not after a time, so that slow and fast contenders are equally
 * warm. There is also a time limit.
 */
export async function warmUp(lab: Lab, running: Running, load: LoadOptions): Promise<void> {
  const wantedRequests = load.warmUpRequests ?? WARM_UP.requests;
  const longest = load.warmUpRequests === undefined ? WARM_UP.longest : WARM_UP.longestForRequests;
  let requests = 0;
  for (let seconds = 0; requests < wantedRequests && seconds < longest; seconds += WARM_UP.slice) {
    requests += (await applyLoad(lab, running, { ...load, seconds: WARM_UP.slice })).requests;
  }
  if (load.warmUpRequests !== undefined && requests < wantedRequests)
    throw new Error(`answered ${requests} requests in ${longest} s, and not the ${wantedRequests} that warm it up`);
}

/**
 * @param work the Redis commands that each request needs
 * @throws if a response had the wrong status, because the measurement would be meaningless
 */
export async function measure(lab: Lab, running: Running, load: LoadOptions, work?: RedisWork): Promise<Sample> {
  const { rewarm = REWARM_SECONDS } = load;
  if (rewarm > 0) await applyLoad(lab, running, { ...load, seconds: rewarm });
  const pids = running.pids();
  const redisPids = lab.redis.program.pids();
  const checkRedis = await watchRedis(lab, work);
  const [before, redisBefore, from] = [readCpuSeconds(pids), readCpuSeconds(redisPids), performance.now()];
  const report = await applyLoad(lab, running, load);
  const [after, redisAfter, to] = [readCpuSeconds(pids), readCpuSeconds(redisPids), performance.now()];
  checkReport(running, report);
  await checkRedis(report.requests);
  const micros = (seconds: number) => (seconds * 1e6) / report.requests;
  return {
    cpu: micros(after - before),
    requestsPerSecond: report.requests / report.seconds,
    p50: report.p50,
    p99: report.p99,
    redisCpu: micros(redisAfter - redisBefore),
    busy: (after - before) / ((to - from) / 1000),
  };
}

/**
 * Reads Redis's counters before a load.
 *
 * @returns a function to call after the load with the number of requests; it throws if Redis did less work than they
 *   need
 */
export async function watchRedis(lab: Lab, work: RedisWork | undefined): Promise<(requests: number) => Promise<void>> {
  if (work === undefined) return async () => {};
  const { calls: before } = await readCommandStats(lab, work.command);
  return async (requests) => {
    const calls = ((await readCommandStats(lab, work.command)).calls - before) / requests;
    if (calls < work.calls * 0.99)
      throw new Error(`Redis counted ${calls.toFixed(2)} of ${work.command} a request in place of ${work.calls}`);
  };
}

function applyLoad(lab: Lab, running: Running, { seconds, connections, requests }: LoadOptions): Promise<Report> {
  const { url, headers } = running;
  return runWrk({ url, headers, seconds, connections, core: lab.otherCore, requests });
}

/**
 * Maximum number of responses with another status. A key that is out of quota is admitted once when its minute ends.
 */
const ADMITTED_BETWEEN_REFUSALS = 3;

function checkReport({ status }: Running, { requests, refused, broken }: Report): void {
  if (requests === 0) throw new Error('no request was answered');
  if (broken > 0) throw new Error(`${broken} requests got no answer`);
  const wrongCount = status < 400 ? refused : requests - refused - ADMITTED_BETWEEN_REFUSALS;
  if (wrongCount > 0) throw new Error(`${wrongCount} of ${requests} answers did not have the status ${status}`);
}

/** Sends one request before the load. A contender with a wrong response is not measured. */
export async function checkResponse({ url, headers, status, responseBytes: answerBytes }: Running): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`answers ${response.status} and not ${status}: ${text.slice(0, 200)}`);
  if (answerBytes !== undefined) {
    if (text.length !== answerBytes) throw new Error(`answers ${text.length} bytes and not ${answerBytes}`);
  } else if (status === 200 && (JSON.parse(text) as { id?: unknown }).id !== 1) {
    throw new Error(`answers no pet: ${text.slice(0, 200)}`);
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
