import { pruneEvents } from '../events/prune-events.ts';
import { tellOfExpiringKeys } from './key-expiry.ts';
import { Notices } from './notices.ts';
import { tellOfDeprecations, tellOfSunsets } from './operation-notices.ts';
import { Schedule, type Task } from './schedule.ts';
import type { StartContext } from '../../start-context.ts';
import type { Storage } from '../../open/open-storage.ts';
import type { Upstreams } from '../../data-plane/upstreams/open-upstreams.ts';

/** Begins to do what is due every hour. */
export function openSchedule(context: StartContext, storage: Storage, upstreams: Upstreams): void {
  const { clock, logger, shutdown } = context;
  const schedule = new Schedule({ tasks: tasksOf(context, storage, upstreams), clock, logger });
  shutdown.add('schedule', () => schedule.stop());
}

function tasksOf({ config, logger }: StartContext, storage: Storage, upstreams: Upstreams): Task[] {
  const { database, events } = storage;
  const sources = { database, history: storage.history.store };
  const operations = () => upstreams.routes.map(({ operation }) => operation);
  const notices = new Notices(events);
  return [
    {
      name: 'telling of keys that expire',
      run: (now, isStopped) => tellOfExpiringKeys(database, notices, now, isStopped),
    },
    { name: 'telling of deprecations', run: (now) => tellOfDeprecations(operations(), notices, now) },
    {
      name: 'telling of sunsets',
      run: (now, isStopped) => tellOfSunsets(operations(), sources, notices, now, isStopped),
    },
    {
      name: 'deleting old events',
      async run(now, isStopped) {
        const deleted = await pruneEvents(database, config.events.keep, now, isStopped);
        if (deleted > 0) logger.info({ events: deleted }, 'old events were deleted');
      },
    },
  ];
}
