/** The storage: records, counters and bans, and the history. */
import type { Logger } from 'pino';
import { StartError, StoreUnavailable } from '../base/error-types.ts';
import { toBanPolicy } from '../config/ban-settings.ts';
import type { FixedConfig } from '../config/config.ts';
import { computeDrainLimitMs } from '../config/drain-settings.ts';
import { Accounts } from '../control-plane/accounts/accounts.ts';
import { ConsoleSessions } from '../control-plane/admin/access/console-sessions.ts';
import { Events } from '../control-plane/events/events.ts';
import { ServiceEvents } from '../control-plane/events/service-events.ts';
import { createStoreOutageEvents } from '../control-plane/events/store-outage-events.ts';
import { openHistory } from '../control-plane/history/open-history.ts';
import { createBanSource } from '../control-plane/registry/ban-feed.ts';
import { Registry } from '../control-plane/registry/registry.ts';
import type { GatewayIdentity } from '../control-plane/system/heartbeat.ts';
import { createCredentialSource } from '../control-plane/registry/credential-source.ts';
import type { BanSource } from '../data-plane/boundary-types.ts';
import { CredentialCache } from '../data-plane/credentials/credential-cache.ts';
import { openStore } from '../data-plane/admission/open-store.ts';
import type { OpenStore } from '../data-plane/admission/store.ts';
import type { Database } from '../storage/database.ts';
import { openDatabase } from '../storage/open.ts';
import { makeFolder } from '../storage/sqlite-file.ts';
import type { Context } from './context.ts';

/** Access to the records: keys and plans, accounts, sessions, events and bans. */
export interface Records {
  readonly database: Database;
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly sessions: ConsoleSessions;
  readonly events: Events;
  readonly serviceEvents: ServiceEvents;
  readonly banSource: BanSource;
}

/** @throws StartError if the database cannot be used */
export async function openRecords({ fixed, metrics, logger, clock }: Context): Promise<Records> {
  const { dataDir } = fixed;
  makeDataDir(dataDir);
  const database = await openDatabase(fixed.database, logger, { dataDir, wait: toLockWait(fixed, logger) });
  const bans = createBanSource(database, clock);
  bans.onChange(metrics.admission.learnBan);
  return {
    database,
    registry: new Registry(database),
    accounts: new Accounts(database, logger),
    sessions: new ConsoleSessions(database, logger),
    events: new Events(database, logger),
    serviceEvents: new ServiceEvents(database, [], clock),
    banSource: bans,
  };
}

/** Opens the store of counters and bans. @throws StartError if the store cannot be used */
export function openCounterStore(
  { fixed, metrics, logger, clock }: Context,
  { banSource, events }: Records,
): Promise<OpenStore> {
  const { store, dataDir, redis, replicas } = fixed;
  return openStore({
    store,
    dataDir,
    redis,
    replicas,
    banPolicy: toBanPolicy(fixed.bans),
    lockWait: toLockWait(fixed, logger),
    logger,
    clock,
    metrics: metrics.store,
    outages: createStoreOutageEvents(events.note, clock),
    bans: banSource,
  });
}

export function openUsageHistory({ fixed, logger, clock, processContext }: Context) {
  return openHistory({
    records: fixed.database,
    dataDir: fixed.dataDir,
    keep: fixed.history.keep,
    clock,
    logger,
    waitMs: computeDrainLimitMs(fixed.drain),
    closeMs: fixed.drain.deadline,
    flushEveryMs: processContext.historyFlushMs,
  });
}

/**
 * Whether all uses of keys have been recorded. If some are missing when the gateway stops, other gateways treat it as
 * killed.
 */
export class KeyUses {
  areRecorded = true;
}

export function openCredentials(
  { fixed, metrics, logger, clock, processContext: { lastUsesFlushMs } }: Context,
  { registry, database }: Records,
  gateway: GatewayIdentity,
  keyUses: KeyUses,
): CredentialCache {
  keyUses.areRecorded = false;
  const onError = (error: unknown) => {
    metrics.store.error('registry');
    logger.error({ err: error }, 'reading keys and plans failed');
  };
  return new CredentialCache(createCredentialSource(registry, database, gateway.id), onError, {
    staleForMs: fixed.registry.staleFor,
    wallClock: clock,
    ...(lastUsesFlushMs === undefined ? {} : { flushEveryMs: lastUsesFlushMs }),
  });
}

export async function closeCredentials(
  credentials: CredentialCache,
  keyUses: KeyUses,
  { logger }: Context,
): Promise<void> {
  try {
    await credentials.close();
    keyUses.areRecorded = true;
  } catch (error) {
    // Only the times at which keys were last used are lost.
    if (!(error instanceof StoreUnavailable)) throw error;
    keyUses.areRecorded = !credentials.hasUnsentUses;
    if (keyUses.areRecorded) return;
    logger.warn({ reason: error.message }, 'could not record when keys were last used');
  }
}

/**
 * How long to wait for a locked file. In a rolling restart, the previous gateway still has its files locked while it
 * drains.
 */
function toLockWait({ drain }: FixedConfig, logger: Logger) {
  return {
    limitMs: computeDrainLimitMs(drain),
    onWait: (reason: string) => logger.warn({ reason }, 'waiting for a locked database'),
  };
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(
      `cannot create the data directory ${dataDir} (${(error as Error).message}): set TOLLGATE_DATA_DIR to a directory ` +
        'that this user can write to',
    );
  }
}
