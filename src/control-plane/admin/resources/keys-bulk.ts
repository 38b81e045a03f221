import { StoreUnavailable } from '../../../base/error-types.ts';
import { RETRY_SOON } from '../../../http/retry-after.ts';
import { replaceKeys } from '../../../http/redact-keys.ts';
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
import { findStart } from '../../history/store/calendar.ts';
import type { Registry } from '../../registry/registry.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';
import type { operations } from '../openapi/admin-types.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { toKeyJson } from './admin-key-json.ts';
import { createBans } from './bans.ts';
import { findBansOfOwner, toTimedFilter, type TimedConditions } from './timed-key-filters.ts';
import type { TokenIssuer } from '../../../domain/token-caller.ts';
import type { RefuseUnknown } from './known-values.ts';
import { toIssuerFilter } from './token-callers.ts';

type Body = operations['bulkChangeKeys']['body'];

/** Maximum number of keys that a preview shows. */
const SAMPLE_SIZE = 10;
/** Maximum number of unknown ids that an error lists. */
const MAX_LISTED = 10;

export function createBulkOperations(
  registry: Registry,
  store: AdmissionStore,
  refuseUnknown: RefuseUnknown,
  tokenIssuers: readonly TokenIssuer[],
): Pick<AdminOperations, 'bulkChangeKeys'> {
  const { bulk } = registry;
  const bans = createBans(registry, store);

  /**
   * Finds the quotas that were banned at the time of the preview and are still banned.
   *
   * @throws Refused `validation_failed`
   */
  async function findQuotasBannedSince(at: number, owner: string | undefined, now: number): Promise<string[]> {
    const { starts, hasMore } = await findBansOfOwner(registry, store, owner, now);
    if (hasMore) throw invalidField('/filter/state', TOO_MANY_BANS);
    return starts.filter((start) => toMillis(readStart(start).from) <= at).map(({ subject }) => subject);
  }

  /**
   * Finds the keys that match the filter at the time of the preview.
   *
   * @throws Refused `validation_failed`
   */
  async function findMatchingKeys({ action, filter }: TimedRequest, at: number, now: number): Promise<BulkKeys> {
    const quotaIds = filter.state === 'banned' ? await findQuotasBannedSince(at, filter.owner, now) : undefined;
    const issuer = toIssuerFilter(filter.token, tokenIssuers);
    const keys = await bulk.findKeys({ action, filter }, { ...toTimedFilter(filter, at), quotaIds }, issuer);
    if (keys === null) {
      throw invalidField(
        '/filter',
        `matches more than ${MAX_BULK_KEYS} keys: add a condition, and make several changes`,
      );
    }
    const { ids = [], owner, plan, bulkId, token } = filter;
    if (keys.ids.length === 0 && bulkId !== undefined && !(await bulk.exists(bulkId))) {
      throw invalidField('/filter/bulkId', `is unknown: there is no bulk change ${bulkId}`);
    }
    const unknownIds = keys.ids.length === ids.length || ids.length === 0 ? [] : await bulk.findUnknownIds(ids);
    if (unknownIds.length > 0) {
      const details = unknownIds.slice(0, MAX_LISTED).map((id) => {
        return { path: `/filter/ids/${ids.indexOf(id)}`, message: `is unknown: there is no key ${replaceKeys(id)}` };
      });
      throw new Refused('validation_failed', { details });
    }
    if (keys.ids.length === 0) await refuseUnknown({ owner, plan, token }, '/filter');
    return keys;
  }

  async function preview(request: TimedRequest, at: number): Promise<Schemas['BulkPreview']> {
    const { action } = request;
    const keys = await findMatchingKeys(request, at, at);
    const sampleIds = keys.ids.slice(0, SAMPLE_SIZE);
    const keysById = await registry.keysById(sampleIds);
    const sample = sampleIds.flatMap((id) => (keysById.has(id) ? [toKeyJson(keysById.get(id)!)] : []));
    const midnight = findStart('day', at);
    const usedToday = keys.lastUses.filter((used) => used >= midnight).length;
    const replacedLastUses = await bulk.findReplaced(action, keys.ids, at);
    const replaced = {
      keys: replacedLastUses.length,
      usedToday: replacedLastUses.filter((used) => used !== null && used >= midnight).length,
    };
    const counts = { keys: keys.ids.length, total: keys.targets.length, usedToday, replaced };
    return { action, ...counts, digest: createDigest(action, keys, at), sample };
  }

  /** @throws Refused `precondition_failed`, `conflict` */
  async function startOrFind(request: TimedRequest, digest: string, change: ChangeContext): Promise<BulkChange> {
    const existingChange = await bulk.find(digest);
    if (existingChange !== null) {
      if (existingChange.matchesRequest(request)) return existingChange;
      throw new Refused('conflict', { message: OTHER_REQUEST });
    }
    const keys = await findMatchingKeys(request, parsePreviewTime(digest), change.at);
    if (!isDigestOf(digest, request.action, keys)) throw new Refused('precondition_failed', { message: CHANGED });
    if (keys.targets.length === 0) throw invalidField('/filter', 'matches no key that could be changed');
    return bulk.start(request, keys, digest, change);
  }

  /**
   * Bans the next keys, or lifts their bans, one by one. Bans are in a different store, so they are recorded afterward.
   *
   * @throws Refused `store_unavailable` if the store does not respond; everything done before that is recorded
   */
  async function applyNextBans(
    bulkChange: BulkChange,
    timedFilter: TimedFilter,
    change: ChangeContext,
  ): Promise<BulkChange> {
    const batch = await bulk.loadNextBatch(bulkChange, timedFilter);
    if (batch === null) return bulkChange;
    const message = change.message ?? bulkChange.message;
    const recorded: RecordedBan[] = [];
    let [done, hasFailed] = [0, false];
    for (const id of batch.ids) {
      const key = batch.keys.get(id);
      const record =
        key === undefined ? null : await banOrLift(bulkChange, key, { ...change, message }).catch(catchUnavailable);
      if (record === UNAVAILABLE) {
        hasFailed = true;
        break;
      }
      done += 1;
      if (record !== null) recorded.push(record);
    }
    const progress = await bulk.recordBans(bulkChange, batch, { done, bans: recorded }, change);
    if (hasFailed) throw createInterrupted(progress);
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
      const request = checkRequest(body, context);
      if (body.preview) return { status: 200, body: await preview(request, context.at) };
      const change = { ...context, message: body.message };
      if (body.digest === undefined) throw invalidField('/digest', NO_DIGEST);
      const bulkChange = await startOrFind(request, body.digest, change);
      const timedFilter = toTimedFilter(request.filter, parsePreviewTime(body.digest));
      const updatedChange = isBanAction(bulkChange.action)
        ? await applyNextBans(bulkChange, timedFilter, change)
        : await bulk.continue(bulkChange, change, timedFilter);
      return { status: 200, body: toProgressJson(updatedChange) };
    },
  };
}

/**
 * Checks the rules that the OpenAPI document cannot express.
 *
 * @throws Refused `validation_failed`
 */
function checkRequest(
  { action, filter, seconds, message, preview, digest }: Body,
  change: ChangeContext,
): TimedRequest {
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

function toProgressJson({
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

function catchUnavailable(error: unknown): typeof UNAVAILABLE {
  if (error instanceof StoreUnavailable) return UNAVAILABLE;
  throw error;
}

function createInterrupted({ id, action, done, total }: BulkChange): Refused {
  const verb = action === 'ban' ? 'banned' : 'lifted the bans of';
  const message =
    `The store does not respond. Bulk change ${id} has ${verb} ${done} of ${total} so far. ` +
    'Send the same request again to continue, after the time given in Retry-After.';
  return new Refused('store_unavailable', { message, headers: { 'Retry-After': RETRY_SOON } });
}

const ONLY_BANS = 'must be omitted unless the action is ban or lift';
const NO_DIGEST = 'is required: send the same request with "preview": true first, and use the digest of the response';
const CHANGED = 'The keys that match have changed since the preview. Preview them again.';
const TOO_MANY_BANS = `matches more than ${MAX_BANS_READ} active bans: add an owner`;
const OTHER_REQUEST = 'The digest was used with another action, filter or duration. Preview these keys first.';
