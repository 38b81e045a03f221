import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { parse } from 'yaml';
import type { ErrorDetail } from '../../base/error-details.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { oneAtATime } from '../../base/one-at-a-time.ts';
import { type JsonObject, formatJson } from '../../base/json.ts';
import { listWindows } from '../../domain/quota-limits.ts';
import { type Clock, toDateTime } from '../../base/time.ts';
import { StoredText } from '../../http/stored-text.ts';
import { GATEWAY_PREFIX, REVOKE_PATH } from '../../http/path-rules.ts';
import { markIncluded } from '../../openapi/mark-included.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { PlansIncluding } from '../registry/plans-including.ts';
import { banRecord } from '../registry/ban-record.ts';
import { banForConsumers } from '../registry/ban-for-consumers.ts';
import type { Registry } from '../registry/registry.ts';
import { gatewayWebhooks } from '../events/event-documents.ts';
import { PeriodFault, readPeriod } from '../history/store/period.ts';
import { revokeKeyAction } from './revoke-key.ts';
import { type ExplanationRecords, readContext } from '../history/explanations/explanation-context.ts';
import { type OwnRefusalsDependencies, readOwnRefusals } from '../history/own-refusals.ts';
import { explanationJson, usageReportJson } from '../history/report-json.ts';
import type { HistoryStore, UsageQuery } from '../history/store/history-store.ts';
import type { Retention } from '../history/store/retention.ts';
import type {
  Endpoint,
  FoundAction,
  FoundEndpoint,
  Refusal,
  Usage,
  WindowView,
} from '../../data-plane/boundary-types.ts';

interface EndpointsDependencies {
  readonly history: HistoryStore;
  readonly historyRetention: Retention;
  /** The OpenAPI document of what consumers may call. */
  readonly publicDocument: JsonObject;
  readonly operations: readonly Operation[];
  readonly plansIncluding: PlansIncluding;
  readonly registry: Pick<Registry, 'updateKey' | 'listAudit'> & ExplanationRecords;
  /** `keys.selfRevoke`. */
  readonly selfRevoke: boolean;
  readonly clock: Clock;
}

const REQUESTS = 'requests';
const REVOKE = REVOKE_PATH.slice(GATEWAY_PREFIX.length);
const REVOKING_IS_OFF: Refusal = {
  code: 'operation_not_allowed',
  message: 'Keys cannot be revoked here. Ask the operators of the API to revoke the key.',
};

/**
 * @returns a function that finds an endpoint by its path below `/_gateway/`
 * @throws if `gateway.openapi.yaml` and the handlers do not have the same endpoints
 */
export function createEndpoints(dependencies: EndpointsDependencies) {
  const { history, historyRetention, publicDocument, registry, selfRevoke, clock } = dependencies;
  const byPath = new Map<string, Endpoint>([
    ['usage', usageEndpoint(registry)],
    ['usage/history', usageHistoryEndpoint(history, historyRetention, clock)],
    [REQUESTS, requestsEndpoint(dependencies)],
    [`${REQUESTS}/{requestId}`, requestEndpoint(history, registry, clock)],
    ['openapi.json', documentEndpoint(dependencies)],
  ]);
  const actions = new Map<string, FoundAction>([
    [REVOKE, { act: selfRevoke ? revokeKeyAction(registry, clock) : () => REVOKING_IS_OFF }],
  ]);
  checkDocumented(publicDocument, [...byPath.keys(), ...actions.keys()]);

  return function findEndpoint(path: string): FoundEndpoint | FoundAction | undefined {
    const action = actions.get(path);
    if (action !== undefined) return action;
    const isRequest = path.startsWith(`${REQUESTS}/`);
    const answer = byPath.get(isRequest ? `${REQUESTS}/{requestId}` : path);
    return answer === undefined ? undefined : { answer, parameter: isRequest ? path.slice(REQUESTS.length + 1) : '' };
  };
}

/** Maximum memory, in bytes, for cached documents with marked operations. */
const MAX_DOCUMENTS_BYTES = 64 * 1024 ** 2;
/** A plan may change, so marked documents are cached only briefly. */
const DOCUMENTS_KEPT_MS = 5000;

/** Serves the public document. Operations that the caller's plan or key does not include are marked. */
function documentEndpoint({ publicDocument, operations, plansIncluding }: EndpointsDependencies): Endpoint {
  const inOrder = oneAtATime();
  const marked = new LRUCache<string, StoredText, Parameters<typeof markIncluded>[2]>({
    maxSize: MAX_DOCUMENTS_BYTES,
    sizeCalculation: ({ maxBytes }) => maxBytes,
    ttl: DOCUMENTS_KEPT_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _before, { context: selectors }) =>
      inOrder(async () => storedDocument(await markIncluded(publicDocument, operations, selectors, plansIncluding))),
  });
  return function document({ credential: { planOperations, keyOperations } }) {
    if (planOperations === null && keyOperations === null) return storedDocument(publicDocument);
    const selectors = [planOperations, keyOperations];
    return marked.forceFetch(JSON.stringify(selectors), { context: selectors });
  };
}

/**
 * Serialized documents, by document. A document that did not change when the configuration was reloaded is still the same
 * object, so its entry is used again.
 */
const known = new WeakMap<JsonObject, Promise<StoredText>>();

/** The public document, serialized and compressed once. All responses share it, including those of the portal. */
export function storedDocument(document: JsonObject): Promise<StoredText> {
  let stored = known.get(document);
  if (stored === undefined) known.set(document, (stored = formatJson(document).then((json) => new StoredText(json))));
  return stored;
}

function checkDocumented(publicDocument: object, served: readonly string[]): void {
  const { paths } = publicDocument as { readonly paths: object };
  const documented = new Set(Object.keys(paths).filter((path) => path.startsWith(GATEWAY_PREFIX)));
  const different = [...documented.symmetricDifference(new Set(served.map((path) => GATEWAY_PREFIX + path)))];
  if (different.length > 0)
    throw new Error(`in gateway.openapi.yaml or in its handlers alone: ${different.join(', ')}`);
}

/** The part of the public document that describes the gateway itself: its endpoints, and the events for consumers. */
export function endpointsDocument(): JsonObject {
  return (ownDocument ??= readOwnDocument());
}

/** Read only once: the file is part of the program, so it does not change while the program runs. */
let ownDocument: JsonObject | undefined;

function readOwnDocument(): JsonObject {
  const document = parse(readFileSync(join(import.meta.dirname, 'gateway.openapi.yaml'), 'utf8')) as JsonObject;
  return { ...document, webhooks: gatewayWebhooks(['owner', 'plan', 'everyone'], 'gateway') };
}

/** The recent refusals of a key and the other keys of its rotation chain, and the bans of their quota. */
function requestsEndpoint(dependencies: OwnRefusalsDependencies): Endpoint {
  return async function requests({ credential: { keyId, quotaId }, query }) {
    const given = new URLSearchParams(query);
    const details = [...namesFaults(given, ['limit', 'cursor']), ...limitFaults(given)];
    if (details.length > 0) return { code: 'validation_failed', details };
    const page = { limit: Number(given.get('limit') ?? REFUSALS_PER_PAGE), cursor: given.get('cursor') ?? undefined };
    try {
      return JSON.stringify(await readOwnRefusals(dependencies, { chainOf: keyId }, [quotaId], page));
    } catch (error) {
      if (!(error instanceof RegistryError) || error.code !== 'invalid_cursor') throw error;
      return { code: 'validation_failed', details: [at('cursor', error.message)] };
    }
  };
}

/**
 * Explains why a request with a key of the caller's quota was refused. Requests with other keys are reported as not
 * found.
 */
function requestEndpoint(history: HistoryStore, records: ExplanationRecords, clock: Clock): Endpoint {
  return async function request({ credential, parameter: requestId }) {
    const refusals = await history.findRefusals(requestId, credential.quotaId);
    if (refusals.length === 0) return { code: 'request_not_found' };
    const context = await readContext(records, refusals, { now: clock(), reader: 'consumer' });
    return JSON.stringify(explanationJson(requestId, refusals, context));
  };
}

function usageEndpoint(registry: Pick<Registry, 'listAudit'>): Endpoint {
  return async function usageOfKey({ credential: { plan, quotaId }, usage }) {
    return JSON.stringify({ ...usageBody(plan, usage), ban: await banForConsumers(registry, quotaId, usage.ban) });
  };
}

/** The usage of a key, as the API returns it. */
export function usageBody(plan: string, usage: Usage) {
  return {
    plan,
    windows: listWindows<WindowView>(usage).map(({ name, view: { limit, used, remaining, resetAt } }) => {
      return { name, limit, used, remaining, resetsAt: toDateTime(resetAt) };
    }),
    ...(usage.degraded === true ? { degraded: true } : {}),
    ban: usage.ban && banRecord(usage.ban),
  };
}

const GROUPINGS = ['operation', 'outcome'] as const;
export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;
const REFUSALS_PER_PAGE = 20;

/** The history of a key and the other keys of its rotation chain. */
function usageHistoryEndpoint(history: HistoryStore, keep: Retention, clock: Clock): Endpoint {
  return async function usageHistory({ credential, query }) {
    const wanted = readQuery(query, keep, clock());
    if ('code' in wanted) return wanted;
    return JSON.stringify(usageReportJson(await history.usage({ ...wanted, chainOf: credential.keyId })));
  };
}

function readQuery(text: string, keep: Retention, now: number): UsageQuery | Refusal {
  const given = new URLSearchParams(text);
  const details = [...namesFaults(given, ['from', 'to', 'every', 'by', 'limit']), ...limitFaults(given)];
  const by = GROUPINGS.find((grouping) => grouping === given.get('by'));
  if (given.has('by') && by === undefined) details.push(at('by', `must be one of ${GROUPINGS.join(', ')}`));
  const limit = Number(given.get('limit') ?? DEFAULT_LIMIT);
  if (details.length > 0) return { code: 'validation_failed', details };
  const [from, to, every] = ['from', 'to', 'every'].map((name) => given.get(name) ?? undefined);
  try {
    const period = readPeriod({ from, to, every }, keep, now, by === undefined ? 1 : limit);
    return { ...period, ...(by === undefined ? {} : { by }), limit, now };
  } catch (error) {
    if (!(error instanceof PeriodFault)) throw error;
    return { code: 'validation_failed', details: [at(error.field, error.message)] };
  }
}

/**
 * Refuses unknown parameters. If a misspelled parameter were ignored, the response would not be what the caller asked
 * for.
 */
function namesFaults(given: URLSearchParams, known: readonly string[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const name of new Set(given.keys())) {
    if (!known.includes(name)) details.push(at(name.slice(0, 100), `is unknown; use one of ${known.join(', ')}`));
    else if (given.getAll(name).length > 1) details.push(at(name, 'is given more than once'));
  }
  return details;
}

function limitFaults(given: URLSearchParams): ErrorDetail[] {
  const limit = Number(given.get('limit') ?? 1);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return [];
  return [at('limit', `must be a whole number from 1 to ${MAX_LIMIT}`)];
}

function at(name: string, message: string): ErrorDetail {
  return { path: `/query/${name}`, message };
}
