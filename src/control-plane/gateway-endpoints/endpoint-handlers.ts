import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { parse } from 'yaml';
import type { ErrorDetail } from '../../base/error-details.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { createRunInOrder } from '../../base/one-at-a-time.ts';
import { type JsonObject, formatJson } from '../../base/json.ts';
import { listWindows } from '../../domain/quota-limits.ts';
import { type Clock, toDateTime } from '../../base/time.ts';
import { StoredText } from '../../http/stored-text.ts';
import { GATEWAY_PREFIX, REVOKE_PATH } from '../../http/path-rules.ts';
import { markIncluded } from '../../openapi/mark-included.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { FindPlansIncluding } from '../registry/plans-including.ts';
import { toBanRecord } from '../registry/ban-record.ts';
import { toBanForConsumers } from '../registry/ban-for-consumers.ts';
import type { Registry } from '../registry/registry.ts';
import { createGatewayWebhooks } from '../events/event-documents.ts';
import { PeriodFault, readPeriod } from '../history/store/period.ts';
import { createRevokeKeyAction } from './revoke-key.ts';
import { type ExplanationRecords, readContext } from '../history/explanations/explanation-context.ts';
import { type OwnRefusalsDependencies, readOwnRefusals } from '../history/own-refusals.ts';
import { toExplanationJson, toUsageReportJson } from '../history/report-json.ts';
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
  readonly plansIncluding: FindPlansIncluding;
  readonly registry: Pick<Registry, 'updateKey' | 'listAudit'> & ExplanationRecords;
  /** `keys.selfRevoke`. */
  readonly selfRevoke: boolean;
  readonly clock: Clock;
}

const REQUESTS_ENDPOINT = 'requests';
const REVOKE_ENDPOINT = REVOKE_PATH.slice(GATEWAY_PREFIX.length);
const REVOCATION_DISABLED: Refusal = {
  code: 'operation_not_allowed',
  message: 'Keys cannot be revoked here. Ask the operators of the API to revoke the key.',
};

/**
 * @returns a function that finds an endpoint by its path below `/_gateway/`
 * @throws if `gateway.openapi.yaml` and the handlers do not have the same endpoints
 */
export function createEndpointFinder(dependencies: EndpointsDependencies) {
  const { history, historyRetention, publicDocument, registry, selfRevoke, clock } = dependencies;
  const endpointsByPath = new Map<string, Endpoint>([
    ['usage', createUsageEndpoint(registry)],
    ['usage/history', createUsageHistoryEndpoint(history, historyRetention, clock)],
    [REQUESTS_ENDPOINT, createRequestsEndpoint(dependencies)],
    [`${REQUESTS_ENDPOINT}/{requestId}`, createRequestEndpoint(history, registry, clock)],
    ['openapi.json', createDocumentEndpoint(dependencies)],
  ]);
  const actions = new Map<string, FoundAction>([
    [REVOKE_ENDPOINT, { act: selfRevoke ? createRevokeKeyAction(registry, clock) : () => REVOCATION_DISABLED }],
  ]);
  checkDocumentation(publicDocument, [...endpointsByPath.keys(), ...actions.keys()]);

  return function findEndpoint(path: string): FoundEndpoint | FoundAction | undefined {
    const action = actions.get(path);
    if (action !== undefined) return action;
    const isRequest = path.startsWith(`${REQUESTS_ENDPOINT}/`);
    const endpoint = endpointsByPath.get(isRequest ? `${REQUESTS_ENDPOINT}/{requestId}` : path);
    return endpoint === undefined
      ? undefined
      : { handle: endpoint, parameter: isRequest ? path.slice(REQUESTS_ENDPOINT.length + 1) : '' };
  };
}

/** Maximum memory, in bytes, for cached documents with marked operations. */
const MAX_DOCUMENTS_BYTES = 64 * 1024 ** 2;
/** A plan may change, so marked documents are cached only briefly. */
const DOCUMENT_TTL_MS = 5000;

/** Serves the public document. Operations that the caller's plan or key does not include are marked. */
function createDocumentEndpoint({ publicDocument, operations, plansIncluding }: EndpointsDependencies): Endpoint {
  const runInOrder = createRunInOrder();
  const markedDocuments = new LRUCache<string, StoredText, Parameters<typeof markIncluded>[2]>({
    maxSize: MAX_DOCUMENTS_BYTES,
    sizeCalculation: ({ maxBytes }) => maxBytes,
    ttl: DOCUMENT_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _before, { context: selectors }) =>
      runInOrder(async () => storeDocument(await markIncluded(publicDocument, operations, selectors, plansIncluding))),
  });
  return function readDocument({ credential: { planOperations, keyOperations } }) {
    if (planOperations === null && keyOperations === null) return storeDocument(publicDocument);
    const selectors = [planOperations, keyOperations];
    return markedDocuments.forceFetch(JSON.stringify(selectors), { context: selectors });
  };
}

/**
 * Serialized documents, by document. A document that did not change when the configuration was reloaded is still the same
 * object, so its entry is used again.
 */
const storedDocuments = new WeakMap<JsonObject, Promise<StoredText>>();

/** The public document, serialized and compressed once. All responses share it, including those of the portal. */
export function storeDocument(document: JsonObject): Promise<StoredText> {
  let stored = storedDocuments.get(document);
  if (stored === undefined)
    storedDocuments.set(document, (stored = formatJson(document).then((json) => new StoredText(json))));
  return stored;
}

function checkDocumentation(publicDocument: object, servedPaths: readonly string[]): void {
  const { paths } = publicDocument as { readonly paths: object };
  const documented = new Set(Object.keys(paths).filter((path) => path.startsWith(GATEWAY_PREFIX)));
  const mismatches = [...documented.symmetricDifference(new Set(servedPaths.map((path) => GATEWAY_PREFIX + path)))];
  if (mismatches.length > 0)
    throw new Error(`in gateway.openapi.yaml or in its handlers alone: ${mismatches.join(', ')}`);
}

/** The part of the public document that describes the gateway itself: its endpoints, and the events for consumers. */
export function readEndpointsDocument(): JsonObject {
  return (cachedDocument ??= parseEndpointsDocument());
}

/** Read only once: the file is part of the program, so it does not change while the program runs. */
let cachedDocument: JsonObject | undefined;

function parseEndpointsDocument(): JsonObject {
  const document = parse(readFileSync(join(import.meta.dirname, 'gateway.openapi.yaml'), 'utf8')) as JsonObject;
  return { ...document, webhooks: createGatewayWebhooks(['owner', 'plan', 'everyone'], 'gateway') };
}

/** The recent refusals of a key and the other keys of its rotation chain, and the bans of their quota. */
function createRequestsEndpoint(dependencies: OwnRefusalsDependencies): Endpoint {
  return async function listRequests({ credential: { keyId, quotaId }, query }) {
    const parameters = new URLSearchParams(query);
    const details = [...checkNames(parameters, ['limit', 'cursor']), ...checkLimit(parameters)];
    if (details.length > 0) return { code: 'validation_failed', details };
    const page = {
      limit: Number(parameters.get('limit') ?? REFUSALS_PER_PAGE),
      cursor: parameters.get('cursor') ?? undefined,
    };
    try {
      return JSON.stringify(await readOwnRefusals(dependencies, { chainOf: keyId }, [quotaId], page));
    } catch (error) {
      if (!(error instanceof RegistryError) || error.code !== 'invalid_cursor') throw error;
      return { code: 'validation_failed', details: [createDetail('cursor', error.message)] };
    }
  };
}

/**
 * Explains why a request with a key of the caller's quota was refused. Requests with other keys are reported as not
 * found.
 */
function createRequestEndpoint(history: HistoryStore, records: ExplanationRecords, clock: Clock): Endpoint {
  return async function explainRequest({ credential, parameter: requestId }) {
    const refusals = await history.findRefusals(requestId, credential.quotaId);
    if (refusals.length === 0) return { code: 'request_not_found' };
    const context = await readContext(records, refusals, { now: clock(), reader: 'consumer' });
    return JSON.stringify(toExplanationJson(requestId, refusals, context));
  };
}

function createUsageEndpoint(registry: Pick<Registry, 'listAudit'>): Endpoint {
  return async function readUsage({ credential: { plan, quotaId }, usage }) {
    return JSON.stringify({ ...toUsageJson(plan, usage), ban: await toBanForConsumers(registry, quotaId, usage.ban) });
  };
}

/** The usage of a key, as the API returns it. */
export function toUsageJson(plan: string, usage: Usage) {
  return {
    plan,
    windows: listWindows<WindowView>(usage).map(({ name, view: { limit, used, remaining, resetAt } }) => {
      return { name, limit, used, remaining, resetsAt: toDateTime(resetAt) };
    }),
    ...(usage.degraded === true ? { degraded: true } : {}),
    ban: usage.ban && toBanRecord(usage.ban),
  };
}

const GROUPINGS = ['operation', 'outcome'] as const;
export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;
const REFUSALS_PER_PAGE = 20;

/** The history of a key and the other keys of its rotation chain. */
function createUsageHistoryEndpoint(history: HistoryStore, retention: Retention, clock: Clock): Endpoint {
  return async function readUsageHistory({ credential, query }) {
    const usageQuery = readQuery(query, retention, clock());
    if ('code' in usageQuery) return usageQuery;
    return JSON.stringify(toUsageReportJson(await history.usage({ ...usageQuery, chainOf: credential.keyId })));
  };
}

function readQuery(text: string, retention: Retention, now: number): UsageQuery | Refusal {
  const parameters = new URLSearchParams(text);
  const details = [...checkNames(parameters, ['from', 'to', 'every', 'by', 'limit']), ...checkLimit(parameters)];
  const by = GROUPINGS.find((grouping) => grouping === parameters.get('by'));
  if (parameters.has('by') && by === undefined)
    details.push(createDetail('by', `must be one of ${GROUPINGS.join(', ')}`));
  const limit = Number(parameters.get('limit') ?? DEFAULT_LIMIT);
  if (details.length > 0) return { code: 'validation_failed', details };
  const [from, to, every] = ['from', 'to', 'every'].map((name) => parameters.get(name) ?? undefined);
  try {
    const period = readPeriod({ from, to, every }, retention, now, by === undefined ? 1 : limit);
    return { ...period, ...(by === undefined ? {} : { by }), limit, now };
  } catch (error) {
    if (!(error instanceof PeriodFault)) throw error;
    return { code: 'validation_failed', details: [createDetail(error.field, error.message)] };
  }
}

/**
 * Refuses unknown parameters. If a misspelled parameter were ignored, the response would not be what the caller asked
 * for.
 */
function checkNames(parameters: URLSearchParams, knownNames: readonly string[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const name of new Set(parameters.keys())) {
    if (!knownNames.includes(name))
      details.push(createDetail(name.slice(0, 100), `is unknown; use one of ${knownNames.join(', ')}`));
    else if (parameters.getAll(name).length > 1) details.push(createDetail(name, 'is given more than once'));
  }
  return details;
}

function checkLimit(parameters: URLSearchParams): ErrorDetail[] {
  const limit = Number(parameters.get('limit') ?? 1);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return [];
  return [createDetail('limit', `must be a whole number from 1 to ${MAX_LIMIT}`)];
}

function createDetail(name: string, message: string): ErrorDetail {
  return { path: `/query/${name}`, message };
}
