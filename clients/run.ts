/**
 * Plays popular HTTP clients against a gateway that refuses their calls, and writes what happened to the consumers' page.
 * Takes four minutes, most of which the clients wait.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { clients, nameOf, type Client } from './clients.ts';
import { startGateway, type Gateway, type TestKey } from './gateway.ts';
import { situations, type Situation } from './situations.ts';
import { AT_ONCE, type Result, tableOf, withTables } from './table.ts';

/** RetryAgent polls for two and a half minutes. A client that takes longer than this is waiting. */
const PATIENCE_MS = 170_000;
/** Clients begin one after another, so that the machine is never the reason why a call is late. */
const APART_MS = 400;

const page = join(import.meta.dirname, '../docs/consumers.md');

/** Kills the programs that still run. */
const running = new Set<() => void>();
process.once('exit', () => running.forEach((kill) => kill()));

const { values } = parseArgs({
  options: { only: { type: 'string' }, print: { type: 'boolean', default: false } },
});

const untilMidnightMs = 86_400_000 - (Date.now() % 86_400_000);
if (untilMidnightMs < 600_000) throw new Error('the day (UTC) ends in a few minutes, and its quota with it: try later');

const gateway = await startGateway();
const chosen = clients.filter((client) => values.only === undefined || nameOf(client).includes(values.only));
const plays = AT_ONCE.flatMap((atOnce) =>
  chosen.flatMap((client) => situations.map((situation) => ({ atOnce, client, situation }))),
);
const played = await Promise.all(
  plays.map(async (play, index) => {
    await sleep(index * APART_MS);
    const key = await gateway.createKey(play.situation.limits);
    await play.situation.prepare(gateway, key);
    return { ...play, key, ...(await runClient(gateway, play.client, play.situation, key, play.atOnce)) };
  }),
);
const conducts = await gateway.stop();

const tables = AT_ONCE.map((atOnce) => {
  const results = played
    .filter((play) => play.atOnce === atOnce)
    .map(({ client, situation, key, served, failed }): Result => {
      const conduct = conducts.get(key.id) ?? { calls: 0, strikes: 0, banned: false };
      return { client, situation, atOnce, served, failed, ...conduct };
    });
  return `${atOnce === 1 ? 'One request:' : `${atOnce} requests at once with one key:`}\n\n${tableOf(chosen, results)}`;
}).join('\n\n');

if (values.print || values.only !== undefined) {
  process.stdout.write(`${tables}\n`);
} else {
  const text = withTables(readFileSync(page, 'utf8'), tables);
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** Runs the program of a client until it ends, or until it has waited too long. */
async function runClient(
  { url }: Gateway,
  { command: [program, ...args] }: Client,
  { path }: Situation,
  key: TestKey,
  atOnce: number,
): Promise<{ served: number; failed: number }> {
  const child = spawn(program, args, {
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'], API_URL: url + path, API_KEY: key.secret, AT_ONCE: String(atOnce) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a shell's children end with it.
    detached: true,
  });
  const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  running.add(kill);
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (complained += String(chunk)));
  const ended = once(child, 'close');
  const inTime = await Promise.race([ended.then(() => true), sleep(PATIENCE_MS, false)]);
  if (!inTime) kill();
  await ended;
  running.delete(kill);
  const [served, failed] = ['served', 'failed'].map((word) => said.split(word).length - 1);
  if (inTime && (served ?? 0) + (failed ?? 0) !== atOnce) throw new Error(`${args.join(' ')}: ${complained}`);
  return { served: served ?? 0, failed: failed ?? 0 };
}
