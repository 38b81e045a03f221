import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import { Schedule, type Task } from '../../../src/control-plane/schedule/schedule.ts';
import { captureLog } from '../../support/log-lines.ts';

const HOUR = 3_600_000;

let now: number;
let done: string[];
let log: ReturnType<typeof captureLog>;
let schedule: Schedule;

beforeEach(() => {
  jest.useFakeTimers();
  now = 1000;
  done = [];
  log = captureLog();
});
afterEach(async () => {
  const stopped = schedule.stop();
  await pass(2000);
  await stopped;
  jest.useRealTimers();
});

const recording = (name: string): Task => ({ name, run: async (at) => void done.push(`${name} at ${at}`) });
const failing = (name: string, error: Error): Task => ({
  name,
  async run() {
    done.push(name);
    throw error;
  },
});
function start(...tasks: readonly Task[]): void {
  schedule = new Schedule({ tasks, clock: () => now, logger: log.logger });
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('each task runs half a minute after the start and every hour from then on', async () => {
  start(recording('a'), recording('b'));
  await pass(29_999);
  expect(done).toEqual([]);
  await pass(1);
  expect(done.splice(0)).toEqual(['a at 1000', 'b at 1000']);
  now = 2000;
  await pass(HOUR - 1);
  expect(done).toEqual([]);
  await pass(1);
  expect(done).toEqual(['a at 2000', 'b at 2000']);
});

test('a failing task is logged and does not prevent other tasks', async () => {
  start(failing('a', new Error('a bug')), recording('b'));
  await pass(30_000);
  expect(done.splice(0)).toEqual(['a', 'b at 1000']);
  expect(log.lines).toEqual([
    expect.objectContaining({ level: 50, task: 'a', msg: 'scheduled task failed; retrying in an hour' }),
  ]);
  await pass(HOUR);
  expect(done).toEqual(['a', 'b at 1000']);
});

test('a task is retried after a minute if the database is unavailable', async () => {
  start(failing('a', new StoreUnavailable('away')));
  await pass(30_000);
  await pass(60_000);
  expect(done).toEqual(['a', 'a']);
  expect(log.lines).toEqual([]);
});

test('after a stop, no task starts, and running tasks are asked to end', async () => {
  const stopFlags: boolean[] = [];
  start(
    {
      name: 'long',
      async run(_, isStopped) {
        stopFlags.push(isStopped());
        await new Promise((resolve) => setTimeout(resolve, 100));
        stopFlags.push(isStopped());
      },
    },
    recording('never'),
  );
  await pass(30_000);
  const stopped = schedule.stop();
  await pass(100);
  await stopped;
  await pass(2 * HOUR);
  expect([stopFlags, done]).toEqual([[false, true], []]);
});

test('a stop waits at most one second for a running task', async () => {
  start({ name: 'endless', run: () => new Promise(() => {}) });
  await pass(30_000);
  let isStopped = false;
  void schedule.stop().then(() => {
    isStopped = true;
  });
  await pass(999);
  expect(isStopped).toBe(false);
  await pass(1);
  expect(isStopped).toBe(true);
});
