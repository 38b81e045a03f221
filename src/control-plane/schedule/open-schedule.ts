import type { Logger } from 'pino';
import type { Clock } from '../../base/time.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { Database } from '../../storage/database.ts';
import { pruneAccountRequests } from '../accounts/account-requests.ts';
import type { TokenIssuer } from '../../domain/token-caller.ts';
import { deleteForgottenHistory, deleteUnusedCallers } from '../accounts/caller-deletion.ts';
import { deleteEndedKeys } from '../accounts/ended-keys.ts';
import type { Events } from '../events/events.ts';
import { pruneEvents } from '../events/prune-events.ts';
import type { HistoryStore } from '../history/store/history-store.ts';
import { endQuietRotations, type QuietRule } from '../registry/quiet-rotations.ts';
import { publishKeyExpiryEvents } from './key-notices.ts';
import { Notices } from './notices.ts';
import { publishDeprecationEvents, publishSunsetEvents } from './operation-notices.ts';
import { Schedule, type Task } from './schedule.ts';

interface ScheduleOptions {
  readonly database: Database;
  readonly events: Events;
  readonly history: HistoryStore;
  /** The operations that are served now. */
  readonly operations: () => readonly Operation[];
  /** Retention of events, in ms. */
  readonly keepEventsMs: number;
  /** The current rule for ending replaced keys that are no longer used. */
  readonly quietRule: () => QuietRule;
  /** The issuers of access tokens in the current configuration. */
  readonly tokenIssuers: () => readonly Pick<TokenIssuer, 'issuer'>[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts the hourly tasks. */
export function openSchedule(options: ScheduleOptions): Schedule {
  const { clock, logger } = options;
  return new Schedule({ tasks: createTasks(options), clock, logger });
}

function createTasks({
  database,
  events,
  history,
  operations,
  keepEventsMs,
  quietRule,
  tokenIssuers,
  logger,
}: ScheduleOptions): Task[] {
  const sources = { database, history };
  const notices = new Notices(events);
  return [
    {
      name: 'ending replaced keys that are no longer used',
      async run(now, isStopped) {
        const ended = await endQuietRotations(database, quietRule(), now, isStopped);
        if (ended > 0) logger.info({ keys: ended }, 'ended replaced keys');
      },
    },
    {
      name: 'announcing expiring keys',
      run: (now, isStopped) => publishKeyExpiryEvents(database, notices, now, isStopped),
    },
    { name: 'announcing deprecations', run: (now) => publishDeprecationEvents(operations(), notices, now) },
    {
      name: 'announcing sunsets',
      run: (now, isStopped) => publishSunsetEvents(operations(), sources, notices, now, isStopped),
    },
    {
      name: 'deleting old events',
      async run(now, isStopped) {
        const deleted = await pruneEvents(database, keepEventsMs, now, isStopped);
        if (deleted > 0) logger.info({ events: deleted }, 'deleted old events');
      },
    },
    { name: 'deleting old account requests', run: (now) => pruneAccountRequests(database, now) },
    {
      name: 'deleting ended keys of accounts',
      async run(now, isStopped) {
        const deleted = await deleteEndedKeys(database, history, now, isStopped);
        if (deleted > 0) logger.info({ keys: deleted }, 'deleted ended keys of accounts');
      },
    },
    {
      name: 'deleting unused callers with access tokens',
      async run(now, isStopped) {
        const issuers = tokenIssuers().map(({ issuer }) => issuer);
        const deleted = await deleteUnusedCallers(database, issuers, now, isStopped);
        if (deleted > 0) logger.info({ keys: deleted }, 'deleted unused callers');
      },
    },
    {
      name: 'deleting what was recorded of forgotten callers',
      run: (now) => deleteForgottenHistory(database, history, now),
    },
  ];
}
