import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../support/servers/postgres-server.ts';
import { faultScripts, type FaultScript } from './fault-scripts.ts';
import { FaultScene } from './fault-scene.ts';
import { expectThat, Finding, within } from '../finding.ts';
import type { Key, Subject } from '../subject/subject.ts';
import type { Target } from '../target.ts';

/** Makes the gateway's dependencies fail under a small, steady load. */
export const fault: Target<FaultScript> = {
  name: 'fault',
  scripts: faultScripts,
  open() {
    // PostgreSQL takes seconds to start, so all scripts share one server, which is started when it is first needed.
    let server: Promise<PostgresServer> | undefined;
    const postgres = async () => {
      server ??= PostgresServer.start();
      await untilDatabaseResponds(await server);
      return server;
    };
    return Promise.resolve({
      play: (script) => play(script, postgres),
      heap: () => Promise.resolve(0),
      close: async () => (await server)?.stop(),
    });
  },
};

/** The duration of each fault. */
const FAULT_MS = 400;
const ANSWER_MS = 30_000;
const RECOVERY_MS = 60_000;
/** The time limit for the start. It is long, because the start is not under test, and can take long on a busy disk. */
const START_MS = 120_000;
const END_MS = 60_000;
const SAME_LINE = 12;
/** The time limit for breaking and repairing servers, so that a scene cannot block the campaign. */
const SCENE_MS = 180_000;

/** Plays a script in a new scene, so that scripts cannot affect each other. */
async function play(script: FaultScript, postgres: () => Promise<PostgresServer>): Promise<void> {
  const scene = await within(SCENE_MS, 'the scene does not open', FaultScene.open(script, postgres));
  const { subject } = scene;
  try {
    await playFaults(scene, script).catch(async (error: unknown) => {
      // If the process has ended, that caused the other failures, so report it first.
      if (subject.child !== undefined) await subject.expectAlive();
      throw error;
    });
    await expectEnd(subject);
  } finally {
    await within(SCENE_MS, 'the scene does not close', scene.close());
  }
}

async function playFaults(scene: FaultScene, script: FaultScript): Promise<void> {
  const { subject } = scene;
  const { atStart, faults } = script;
  const [first] = faults;
  if (atStart && first !== undefined && isOutside(first)) {
    await begin(scene, first);
    await subject.launch();
    if (script.stdout === 'full') await until(subject, 'it does not listen', (state) => state !== 'away', START_MS);
  } else {
    await subject.launch();
    await recovered(subject, START_MS);
    await prepare(subject);
  }
  for (const fault of faults) await during(scene, fault);
  await within(SCENE_MS, 'the scene is not repaired', scene.repair());
  await recovered(subject);
  if (subject.keys.length === 0) await prepare(subject);
  await expectServed(subject, script);
  await subject.expectAlive();
  subject.expectNoFlood(SAME_LINE);
}

function begin(scene: FaultScene, fault: FaultScript['faults'][number]): Promise<void> {
  return within(SCENE_MS, `the scene does not change: ${JSON.stringify(fault)}`, scene.begin(fault));
}

/**
 * Creates a key with ample limits and one with tiny limits. Retries, because each connection to a store recovers by
 * itself.
 */
async function prepare(subject: Subject): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  for (;;) {
    try {
      subject.keys = [await within(ANSWER_MS, 'the admin API does not answer', subject.createKey('roomy'))];
      subject.tiny = await within(ANSWER_MS, 'the admin API does not answer', subject.createKey('tiny'));
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

async function during(scene: FaultScene, fault: FaultScript['faults'][number]): Promise<void> {
  const { subject } = scene;
  await begin(scene, fault);
  // If no file can be opened, connections wait in the kernel's backlog, so there is nothing to send.
  if (scene.isOutOfFiles) {
    await sleep(FAULT_MS);
    return;
  }
  const until = performance.now() + FAULT_MS;
  // If the log is not read, that has an effect only once the pipe is full, so send more requests.
  const burst = fault.is === 'log' ? 100 : CALLS.length;
  do {
    const keys = Array.from({ length: burst }, () => subject.keys[0] ?? subject.tiny);
    await Promise.all(
      [...keys, subject.tiny].map((key, index) => ask(subject, key, fault, CALLS[index % CALLS.length])),
    );
    await sleep(20);
  } while (performance.now() < until);
}

/** Requests with and without a body. `enforce` refuses the last POST, and the PUT that does not fit is only counted. */
const CALLS = [
  { method: 'GET', body: null, isRefused: false },
  { method: 'POST', body: '"a text"', isRefused: false },
  { method: 'PUT', body: '{"no":"text"}', isRefused: false },
  { method: 'POST', body: '["no text"]', isRefused: true },
] as const;

/** Sends a request. Whatever fails, the gateway must respond in time with a documented status. */
async function ask(
  subject: Subject,
  key: Key,
  fault?: FaultScript['faults'][number],
  sent: (typeof CALLS)[number] = CALLS[0],
): Promise<number> {
  const called = call(subject.publicPort, key, sent).catch((error: NodeJS.ErrnoException) => {
    throw new Finding(`no answer (${error.code ?? error.message})`, JSON.stringify(fault));
  });
  const { status } = await within(ANSWER_MS, 'an answer that takes too long', called);
  const isExpected =
    [sent.isRefused ? 400 : 200, 401, 403, 429, 503].includes(status) && (status !== 401 || key.id === '');
  expectThat(isExpected, `answered with ${status}`, () => JSON.stringify(fault));
  return status;
}

/** True if the fault can be injected before the gateway starts. */
function isOutside({ is }: FaultScript['faults'][number]): boolean {
  return is !== 'clock' && is !== 'log' && is !== 'limit';
}

/** Waits until the gateway reports that it is ready. */
function recovered(subject: Subject, limitMs = RECOVERY_MS): Promise<void> {
  return until(subject, 'it does not recover', (state) => state === 'ready', limitMs);
}

async function until(
  subject: Subject,
  failure: string,
  holds: (state: string) => boolean,
  limitMs: number,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    await subject.expectAlive();
    const state = await subject.state();
    if (holds(state)) return;
    expectThat(performance.now() < deadline, failure, () => `${state}\n${subject.lastOutput}`);
    await sleep(50);
  }
}

async function expectServed(subject: Subject, { store }: FaultScript): Promise<void> {
  const [roomy] = subject.keys;
  const deadline = performance.now() + RECOVERY_MS;
  for (;;) {
    const { status, degraded } = await within(
      ANSWER_MS,
      'an answer that takes too long',
      call(subject.publicPort, roomy!),
    );
    if (status === 200 && !degraded) break;
    expectThat(performance.now() < deadline, 'it does not serve as before', () => `${status} ${String(degraded)}`);
    await sleep(50);
  }
  if (store !== 'sqlite') return;
  // The clock has been corrected, so the minute window must have ended a minute later.
  await ask(subject, subject.tiny);
  await subject.ask({ clock: 61_000 });
  expectThat((await ask(subject, subject.tiny)) === 200, 'a minute window that does not end');
}

async function expectEnd(subject: Subject): Promise<void> {
  const child = subject.child!;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await within(END_MS, 'it does not end on request', ended)) as [number | null];
  expectThat(code === 0, `ended with ${code}`, () => subject.lastOutput);
}

function call(
  port: number,
  { secret }: Key,
  { method, body }: (typeof CALLS)[number] = CALLS[0],
): Promise<{ status: number; degraded: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': secret, ...(body === null ? {} : { 'content-type': 'application/json' }) };
    const calling = request({ host: '127.0.0.1', port, path: '/echo/x', method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const degraded = received['x-ratelimit-policy'] !== undefined || received['x-ratelimit-degraded'] !== undefined;
      response.on('error', reject).on('end', () => resolve({ status, degraded }));
      response.resume();
    });
    calling.on('error', reject).end(body ?? undefined);
  });
}

/** Waits until the server has recovered from the previous script. */
async function untilDatabaseResponds(server: PostgresServer): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  while (!(await server.query('SELECT 1').then(Boolean, () => false))) {
    if (performance.now() > deadline) throw new Error('PostgreSQL did not recover from the previous script');
    await sleep(50);
  }
}
