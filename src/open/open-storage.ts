import { Accounts } from '../control-plane/accounts/accounts.ts';
import { AutomaticBans } from '../control-plane/registry/audit/automatic-bans.ts';
import { Sessions } from '../control-plane/admin/sessions/sessions.ts';
import { makeFolder } from '../base/make-folder.ts';
import { StartError } from '../base/start-error.ts';
import { StoreUnavailable } from '../base/store-unavailable.ts';
import type { Database } from '../storage/database.ts';
import { openDatabase } from '../storage/open.ts';
import { Events } from '../control-plane/events/events.ts';
import { ServiceEvents } from '../control-plane/events/service-events.ts';
import { openHistory, type History } from '../control-plane/history/history.ts';
import { lockWait } from './lock-wait.ts';
import { openStore } from '../data-plane/admission/open-store.ts';
import type { OpenStore } from '../data-plane/admission/store-context.ts';
import { CredentialCache } from '../data-plane/credentials/credential-cache.ts';
import { Registry } from '../control-plane/registry/registry.ts';
import type { StartContext } from '../start-context.ts';

/** Everything the gateway keeps: records, counters, and what is written to them or read from them in the background. */
export interface Storage {
  readonly database: Database;
  readonly registry: Registry;
  readonly credentialCache: CredentialCache;
  readonly bans: AutomaticBans;
  readonly counters: OpenStore;
  readonly history: History;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly events: Events;
  readonly serviceEvents: ServiceEvents;
}

/** @throws StartError if something cannot be used */
export async function openStorage(context: StartContext): Promise<Storage> {
  const { config, logger, clock, metrics, shutdown, historyFlushMs } = context;
  const { dataDir } = config;
  const wait = lockWait(config, logger);
  makeDataDir(dataDir);
  const database = await openDatabase(config.database, logger, { dataDir, wait });
  shutdown.add('database', () => database.close());
  const events = new Events(database, logger);
  shutdown.add('events', () => events.close());
  const counters = await openStore({ config, logger, clock, metrics: metrics.store, note: events.note });
  shutdown.add('counts', () => counters.store.close());
  shutdown.add('counters', () => counters.close());
  const history = await openHistory({
    records: config.database,
    dataDir,
    keep: config.history.keep,
    clock,
    logger,
    waitMs: wait.limitMs,
    closeMs: config.drain.deadline,
    flushEveryMs: historyFlushMs,
  });
  shutdown.add('history', () => history.close());
  const registry = new Registry(database);
  const bans = new AutomaticBans(registry, events.note, logger);
  shutdown.add('automatic bans', () => bans.close());
  return {
    database,
    registry,
    credentialCache: openCredentialCache(registry, context),
    bans,
    counters,
    history,
    sessions: new Sessions(database, logger),
    accounts: new Accounts(database, logger),
    events,
    serviceEvents: new ServiceEvents(database, [], clock),
  };
}

function openCredentialCache(registry: Registry, context: StartContext): CredentialCache {
  const { config, logger, clock, metrics, shutdown } = context;
  const onError = (error: unknown) => {
    metrics.store.error('registry');
    logger.error({ err: error }, 'the registry failed');
  };
  const credentialCache = new CredentialCache(registry, onError, {
    keptForMs: config.registry.staleFor,
    wallClock: clock,
  });
  shutdown.add('credential cache', async () => {
    try {
      await credentialCache.close();
    } catch (error) {
      // The times at which keys were last used are lost; nothing else is.
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.warn(`the last uses of keys could not be noted: ${error.message}`);
    }
  });
  return credentialCache;
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(
      `the data directory ${dataDir} cannot be made (${(error as Error).message}): set TOLLGATE_DATA_DIR to a folder ` +
        'that this user may write to',
    );
  }
}
