import { StoreUnavailable } from '../../../base/error-types.ts';
import { RETRY_SOON } from '../../../http/retry-after.ts';
import { withoutKeys } from '../../../http/redact-keys.ts';
import type { AdmissionStore } from '../../../data-plane/boundary-types.ts';
import {
  type BulkChange,
  type BulkFilter,
  type BulkKeys,
  type BulkRequest,
  isDigestOf,
  isBanAction,
  MAX_BULK_KEYS,
  createDigest,
  parsePreviewTime,
} from '../../registry/bulk-changes.ts';
import type { ChangeContext } from '../../registry/audit-log.ts';
import { MAX_BANS_READ } from '../../registry/ban-endings.ts';
import { readStart, type RecordedBan } from '../../registry/ban-record.ts';
import type { Key, TimedFilter } from '../../registry/key.ts';
import { toMillis } from '../../../base/time.ts';
import { startOf } from '../../history/store/calendar.ts';
import type { Registry } from '../../registry/registry.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';
import type { operations } from '../openapi/admin-types.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { keyJson } from './admin-key-json.ts';
import { createBans } from './bans.ts';
import { bansNow, conditionsAt, type TimedConditions } from './timed-key-filters.ts';
import type { RefuseUnknown } from './known-values.ts';

type Body = operations['bulkChangeKeys']['body'];

/** Maximum number of keys that a preview shows. */
const SAMPLE = 10;
/** Maximum number of unknown ids that an error lists. */
const MAX_LISTED = 10;

export function bulkOperations(
  registry: Registry,
  store: AdmissionStore,
  refuseUnknown: RefuseUnknown,
): Pick<AdminOperations, 'bulkChangeKeys'> {
  const { bulk } = registry;
  const bans = createBans(registry, store);

  /**
   * Finds the quotas that were banned at the time of the preview and are still banned.
   *
   * @throws Refused `validation_failed`
   */
  async function bannedSince(at: number, owner: string | undefined, now: number): Promise<string[]> {
    const { starts, hasMore } = await bansNow(registry, store, owner, now);
    if (hasMore) throw invalidField('/filter/state', TOO_MANY_BANS);
    return starts.filter((start) => toMillis(readStart(start).from) <= at).map(({ subject }) => subject);
  }

  /**
   * Finds the keys that match the filter at the time of the preview.
   *
   * @throws Refused `validation_failed`
   */
  async function matching({ action, filter }: TimedRequest, at: number, now: number): Promise<BulkKeys> {
    const quotaIds = filter.state === 'banned' ? await bannedSince(at, filter.owner, now) : undefined;
    const keys = await bulk.findKeys({ action, filter }, { ...conditionsAt(filter, at), quotaIds });
    if (keys === null) {
      throw invalidField(
        '/filter',
        `matches more than ${MAX_BULK_KEYS} keys: add a condition, and make several changes`,
      );
    }
    const { ids = [], owner, plan, bulkId } = filter;
    if (keys.ids.length === 0 && bulkId !== undefined && !(await bulk.exists(bulkId))) {
      throw invalidField('/filter/bulkId', `is unknown: there is no bulk change ${bulkId}`);
    }
    const unknown = keys.ids.length === ids.length || ids.length === 0 ? [] : await bulk.findUnknownIds(ids);
    if (unknown.length > 0) {
      const details = unknown.slice(0, MAX_LISTED).map((id) => {
        return { path: `/filter/ids/${ids.indexOf(id)}`, message: `is unknown: there is no key ${withoutKeys(id)}` };
      });
      throw new Refused('validation_failed', { details });
    }
    if (keys.ids.length === 0) await refuseUnknown({ owner, plan }, '/filter');
    return keys;
  }

  async function preview(request: TimedRequest, at: number): Promise<Schemas['BulkPreview']> {
    const { action } = request;
    const keys = await matching(request, at, at);
    const newest = keys.ids.slice(0, SAMPLE);
    const found = await registry.keysById(newest);
    const sample = newest.flatMap((id) => (found.has(id) ? [keyJson(found.get(id)!)] : []));
    const midnight = startOf('day', at);
    const usedToday = keys.lastUses.filter((used) => used >= midnight).length;
    const others = await bulk.findReplaced(action, keys.ids, at);
    const replaced = {
      keys: others.length,
      usedToday: others.filter((used) => used !== null && used >= midnight).length,
    };
    const counts = { keys: keys.ids.length, total: keys.targets.length, usedToday, replaced };
    return { action, ...counts, digest: createDigest(action, keys, at), sample };
  }

  /** @throws Refused `precondition_failed`, `conflict` */
  async function started(request: TimedRequest, digest: string, change: ChangeContext): Promise<BulkChange> {
    const found = await bulk.find(digest);
    if (found !== null) {
      if (found.matchesRequest(request)) return found;
      throw new Refused('conflict', { message: OTHER_REQUEST });
    }
    const keys = await matching(request, parsePreviewTime(digest), change.at);
    if (!isDigestOf(digest, request.action, keys)) throw new Refused('precondition_failed', { message: CHANGED });
    if (keys.targets.length === 0) throw invalidField('/filter', 'matches no key that could be changed');
    return bulk.start(request, keys, digest, change);
  }

  /**
   * Bans the next keys, or lifts their bans, one by one. Bans are in a different store, so they are recorded afterward.
   *
   * @throws Refused `store_unavailable` if the store does not respond; everything done before that is recorded
   */
  async function nextBans(one: BulkChange, timed: TimedFilter, change: ChangeContext): Promise<BulkChange> {
    const batch = await bulk.loadNextBatch(one, timed);
    if (batch === null) return one;
    const message = change.message ?? one.message;
    const recorded: RecordedBan[] = [];
    let [done, failed] = [0, false];
    for (const id of batch.ids) {
      const key = batch.keys.get(id);
      const record =
        key === undefined ? null : await banOrLift(one, key, { ...change, message }).catch(onlyUnavailable);
      if (record === UNAVAILABLE) {
        failed = true;
        break;
      }
      done += 1;
      if (record !== null) recorded.push(record);
    }
    const progress = await bulk.recordBans(one, batch, { done, bans: recorded }, change);
    if (failed) throw interrupted(progress);
    return progress;
  }

  async function banOrLift(
    { action, seconds }: BulkChange,
    key: Key,
    change: ChangeContext,
  ): Promise<RecordedBan | null> {
    return action === 'lift' ? bans.lift(key, change) : bans.startOnce(key, seconds ?? 0, change);
  }

  return {
    async bulkChangeKeys({ body, change: context }) {
      const request = checked(body, context);
      if (body.preview) return { status: 200, body: await preview(request, context.at) };
      const change = { ...context, message: body.message };
      if (body.digest === undefined) throw invalidField('/digest', NO_DIGEST);
      const one = await started(request, body.digest, change);
      const timed = conditionsAt(request.filter, parsePreviewTime(body.digest));
      const after = isBanAction(one.action)
        ? await nextBans(one, timed, change)
        : await bulk.continue(one, change, timed);
      return { status: 200, body: progressJson(after) };
    },
  };
}

/**
 * Checks the rules that the OpenAPI document cannot express.
 *
 * @throws Refused `validation_failed`
 */
function checked({ action, filter, seconds, message, preview, digest }: Body, change: ChangeContext): TimedRequest {
  if (preview && digest !== undefined) throw invalidField('/digest', 'must be omitted with "preview": true');
  if (seconds !== undefined && action !== 'ban')
    throw invalidField('/seconds', 'must be omitted unless the action is ban');
  if (!preview && seconds === undefined && action === 'ban') throw invalidField('/seconds', 'is required to ban keys');
  if (message !== undefined && !isBanAction(action)) throw invalidField('/message', ONLY_BANS);
  if (!preview && change.reason === null && isBanAction(action))
    throw invalidField('/reason', `is required for ${action}`);
  const { q: search, ...rest } = filter;
  const conditions = { ...rest, search };
  return { action, filter: conditions, seconds: seconds ?? null };
}

interface TimedRequest extends BulkRequest {
  readonly filter: BulkFilter & TimedConditions;
}

function progressJson({
  id: bulkId,
  action,
  keys,
  total,
  done,
  changed,
  skipped,
}: BulkChange): Schemas['BulkProgress'] {
  return { bulkId, action, keys, total, done, changed, skipped, finished: done === total };
}

const UNAVAILABLE = Symbol('unavailable');

function onlyUnavailable(error: unknown): typeof UNAVAILABLE {
  if (error instanceof StoreUnavailable) return UNAVAILABLE;
  throw error;
}

function interrupted({ id, action, done, total }: BulkChange): Refused {
  const what = action === 'ban' ? 'banned' : 'lifted the bans of';
  const message =
    `The store does not respond. Bulk change ${id} has ${what} ${done} of ${total} so far. ` +
    'Send the same request again to continue, after the time given in Retry-After.';
  return new Refused('store_unavailable', { message, headers: { 'Retry-After': RETRY_SOON } });
}

const ONLY_BANS = 'must be omitted unless the action is ban or lift';
const NO_DIGEST = 'is required: send the same request with "preview": true first, and use the digest of the response';
const CHANGED = 'The keys that match have changed since the preview. Preview them again.';
const TOO_MANY_BANS = `matches more than ${MAX_BANS_READ} active bans: add an owner`;
const OTHER_REQUEST = 'The digest was used with another action, filter or duration. Preview these keys first.';
