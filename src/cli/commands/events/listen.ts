import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { EventAnswer } from '../../admin/answers.ts';
import { ApiError } from '../../admin/api-error.ts';
import { NotReached } from '../../admin/not-reached.ts';
import { connect } from '../../admin/api.ts';
import { EventFeed } from '../../admin/event-feed.ts';
import type { Io } from '../../io.ts';
import { time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions {
  readonly type?: string;
  readonly subject?: string;
}

const LOOK_EVERY_MS = 1000;

export function eventsListen(io: Io): Command {
  return adminCommand(
    'listen',
    'print events as they come, until it is stopped (with --json, a document a line)',
    'events listen',
    'events listen --type key.banned --json',
  )
    .option('--type <type>', 'only this, such as key.created')
    .option('--subject <id>', 'only what is about this key, plan, operation or request')
    .action((options: Options) => listen(io, options));
}

/** A gateway that cannot be reached at first is a failure; later, it is waited for. */
async function listen(io: Io, { type, subject, json }: Options): Promise<void> {
  const feed = new EventFeed(connect(io), { type, subject });
  await feed.begin();
  let isAway = false;
  while (await pause(io.ended)) {
    try {
      for (const event of await feed.look()) io.out(json === true ? `${JSON.stringify(event)}\n` : lineOf(event));
      isAway = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) io.err(`tollgate: ${error.message}\nStill listening: what happens meanwhile is printed then.\n`);
      isAway = true;
    }
  }
}

/** @returns false at the end */
async function pause(ended: AbortSignal): Promise<boolean> {
  await sleep(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => {});
  return !ended.aborted;
}

function isPassing(error: unknown): error is Error {
  return error instanceof NotReached || (error instanceof ApiError && error.status >= 500);
}

function lineOf({ at, type, subject, owner, data }: EventAnswer): string {
  return [time(at), type, subject ?? '-', owner ?? '-', JSON.stringify(data)].join('  ') + '\n';
}
