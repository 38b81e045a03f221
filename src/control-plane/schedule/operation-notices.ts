import { toDateTime, DAY_MS } from '../../base/time.ts';
import { createGatewayEvent, type GatewayEventData } from '../events/gateway-events.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { countDaysUntil, findDueNotice, type Notice, type Notices } from './notices.ts';
import type { Database } from '../../storage/database.ts';
import type { HistoryStore } from '../history/store/history-store.ts';
import { findKeysById } from '../registry/key-rows.ts';

/**
 * How late a deprecation may be published. Without this limit, a new document or a new gateway would announce
 * everything that was deprecated years ago.
 */
const MAX_LATE_MS = 7 * DAY_MS;

/** The parts of an operation that its notices need. */
export type AnnouncedOperation = Pick<Operation, 'id' | 'method' | 'path' | 'lifecycle'>;

/** Publishes deprecations whose date has arrived. Operations without a date are left out. */
export async function publishDeprecationEvents(
  operations: readonly AnnouncedOperation[],
  notices: Notices,
  now: number,
): Promise<void> {
  await notices.publish(operations.flatMap((operation) => createDeprecationNotices(operation, now)));
}

function createDeprecationNotices(operation: AnnouncedOperation, now: number): Notice[] {
  const { id, lifecycle } = operation;
  const { deprecatedAt, sunsetAt } = lifecycle;
  const isRecent = deprecatedAt !== null && deprecatedAt <= now && now - deprecatedAt < MAX_LATE_MS;
  if (!isRecent || (sunsetAt !== null && sunsetAt <= now)) return [];
  const uniqueKey = `operation.deprecated ${id} ${deprecatedAt}`;
  const about = { subject: id, owner: null, at: now };
  return [{ ...createGatewayEvent('operation.deprecated', toEventData(operation), about), uniqueKey }];
}

function toEventData({ id, method, path, lifecycle }: AnnouncedOperation): GatewayEventData<'operation.deprecated'> {
  const { deprecatedAt, sunsetAt, successor } = lifecycle;
  const formatTime = (millis: number | null) => (millis === null ? null : toDateTime(millis));
  return {
    operation: id,
    method,
    path,
    deprecatedAt: formatTime(deprecatedAt),
    sunsetAt: formatTime(sunsetAt),
    successor,
  };
}

/**
 * Days before a sunset. They must not exceed the retention of notices (`src/control-plane/events/prune-events.ts`), or
 * a deleted notice would be published again.
 */
export const NOTICE_DAYS = [30, 7, 1];
const PAGE_SIZE = 500;
/** Maximum number of keys that an event lists. */
const MAX_KEYS = 50;

interface SunsetSources {
  readonly database: Database;
  readonly history: Pick<HistoryStore, 'callers'>;
}

/** The keys of one owner that called an operation and can still call it. */
interface Audience {
  readonly keys: { readonly id: string; readonly name: string; readonly lastCalledAt: string }[];
  count: number;
}

/** Tells the owners of keys that ever called an operation when the operation will end. */
export async function publishSunsetEvents(
  operations: readonly AnnouncedOperation[],
  sources: SunsetSources,
  notices: Notices,
  now: number,
  isStopped: () => boolean,
): Promise<void> {
  for (const operation of operations) {
    const { sunsetAt } = operation.lifecycle;
    const days = sunsetAt === null ? null : findDueNotice(NOTICE_DAYS, sunsetAt, now);
    if (sunsetAt === null || days === null) continue;
    const audiences = await findAudiences(operation.id, sources, now, isStopped);
    if (isStopped()) return;
    await notices.publish([...audiences].map((each) => createSunsetNotice(operation, sunsetAt, days, now, each)));
  }
}

function createSunsetNotice(
  operation: AnnouncedOperation,
  sunsetAt: number,
  days: number,
  now: number,
  [owner, { keys, count: keyCount }]: [string, Audience],
): Notice {
  const data = { ...toEventData(operation), daysLeft: countDaysUntil(sunsetAt, now), keys, keyCount };
  const event = createGatewayEvent('operation.sunset_soon', data, { subject: operation.id, owner, at: now });
  return { ...event, uniqueKey: `operation.sunset_soon ${operation.id} ${sunsetAt} ${days} ${owner}` };
}

/** Finds the owners whose keys called an operation, with these keys. The keys that called most recently come first. */
async function findAudiences(
  operation: string,
  { database, history }: SunsetSources,
  now: number,
  isStopped: () => boolean,
): Promise<Map<string, Audience>> {
  const audiences = new Map<string, Audience>();
  let cursor: string | null | undefined;
  do {
    const page = await history.callers({ operation, limit: PAGE_SIZE, ...(cursor && { cursor }) });
    const currentKeys = await database.read((queries) =>
      findKeysById(
        queries,
        page.items.map(({ key }) => key),
      ),
    );
    for (const { key: id, lastAt } of page.items) {
      const key = currentKeys.get(id);
      if (key?.status !== 'active' || (key.expiresAt !== null && key.expiresAt <= now)) continue;
      const audience = audiences.get(key.owner) ?? { keys: [], count: 0 };
      audiences.set(key.owner, audience);
      audience.count += 1;
      if (audience.keys.length < MAX_KEYS) {
        audience.keys.push({ id, name: key.name, lastCalledAt: toDateTime(lastAt) });
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== null && !isStopped());
  return audiences;
}
