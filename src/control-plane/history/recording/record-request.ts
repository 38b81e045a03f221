import type { Credential } from '../../../domain/credential.ts';
import { errors, type CallErrorCode, SERVED } from '../../../domain/error-codes.ts';
import type { Clock } from '../../../base/time.ts';
import type { Recorder } from './recorder.ts';
import type { RefusalCollector } from './refusal-collector.ts';
import type { AdmissionFacts, MoreFacts, QuotaFacts, RefusalFacts } from '../explanations/refusal-facts.ts';
import type { RequestObserver, RequestRecord, Decision, Usage } from '../../../data-plane/boundary-types.ts';
import type { Operation } from '../../../openapi/openapi.ts';
import { isIncluded } from '../../../openapi/operation-selectors.ts';
import { findBrownout } from '../../../openapi/operation-lifecycle.ts';

/** Counts every request in the history, except for preflights and the gateway's own endpoints. */
export function createHistoryRecorder(recorder: Recorder): RequestObserver {
  return function recordHistory(record) {
    if (record.kind !== 'call') return;
    const { credential, operation } = record;
    recorder.record(
      credential === null ? null : credential.keyId,
      operation === null ? null : operation.id,
      record.outcome,
      toStatusClass(record.status),
      record.charged,
      isRefusedByQuota(record) ? record.cost : 0,
      record.durationMs,
    );
  };
}

/**
 * Returns the first digit of the status. A service may respond with any number up to 999. Statuses above 599 count as
 * errors.
 */
function toStatusClass(status: number): number {
  return status < 600 ? Math.trunc(status / 100) : 5;
}

/** Whether the request would have been charged if the key had had more quota. */
function isRefusedByQuota({ outcome }: RequestRecord): boolean {
  return outcome === 'rate_limit_exceeded' || outcome === 'quota_exceeded' || outcome === 'key_banned';
}

interface RefusalRecorderDependencies {
  readonly collector: RefusalCollector;
  /** The number of strikes at which a key with this minute limit is banned. */
  readonly strikesForBan: (minuteLimit: number) => number;
  /** Strikes add up if they fall within a period of this length, in ms. */
  readonly strikesWithinMs: number;
  readonly clock: Clock;
}

/** A refusal of a known key, with the code of the response. */
interface RefusedCall {
  readonly record: RequestRecord;
  readonly credential: Credential;
  readonly code: CallErrorCode;
  /** ms since the Unix epoch. */
  readonly at: number;
}

/** Maximum length of a stored path that matched no operation. */
const MAX_PATH = 200;

/** Collects the facts behind each refusal of a known key, except for the gateway's own endpoints. */
export function createRefusalRecorder(dependencies: RefusalRecorderDependencies): RequestObserver {
  const { collector, clock } = dependencies;
  return function recordRefusal(record) {
    const { credential, outcome: code, usage, decision } = record;
    if (code === SERVED || credential === null || record.kind === 'gateway_endpoint') return;
    const at = usage?.now ?? clock();
    const { quotaId, keyId } = credential;
    const ids = { requestId: record.requestId, quotaId, keyId };
    const isTurningPoint = decision?.banStarted === true;
    const refusingSince = collector.note({ ...ids, code, at, resetAt: findResetTime(decision), isTurningPoint });
    if (refusingSince === null) return;
    const admission =
      decision === null || decision.admitted ? null : collectAdmissionFacts(decision, refusingSince, dependencies);
    const facts = collectFacts({ record, credential, code, at }, admission);
    collector.add({ ...ids, at, facts: { ...facts } });
  };
}

/** Returns when the window that refused the request resets; 0 if no window refused it. */
function findResetTime(decision: Decision | null): number {
  if (decision === null) return 0;
  const { outcome, binding } = decision;
  const isFull = outcome === 'minute_exhausted' || outcome === 'day_exhausted' || outcome === 'month_exhausted';
  return isFull ? (decision[binding]?.resetAt ?? 0) : 0;
}

function collectFacts(refusedCall: RefusedCall, admission: AdmissionFacts | null): RefusalFacts {
  const { record, credential, code } = refusedCall;
  const { decision, usage } = record;
  const more = collectMoreFacts(refusedCall);
  return {
    code,
    status: errors[code].status,
    retryAfterSeconds: readRetryAfter(record.refusalHeaders),
    method: record.method,
    operation: record.operation?.id ?? null,
    path: record.unmatchedPath?.slice(0, MAX_PATH) ?? null,
    plan: credential.plan,
    cost: record.cost,
    charged: record.charged,
    durationMs: Math.round(record.durationMs),
    quota: usage === null ? null : toQuotaFacts(usage),
    admission,
    more,
    freeAt: (admission === null ? more.brownout?.to : decision?.retryAt) || null,
  };
}

/** @param headers alternating names and values */
function readRetryAfter(headers: readonly string[]): number | null {
  const value = findHeader(headers, 'Retry-After');
  return value === undefined ? null : Number(value);
}

function findHeader(headers: readonly string[], name: string): string | undefined {
  const index = headers.indexOf(name);
  return index === -1 ? undefined : headers[index + 1];
}

function toQuotaFacts({ minute, day, month, ban, degraded }: Usage): QuotaFacts {
  return { minute, day, ...(month === undefined ? {} : { month }), ban, degraded: degraded === true };
}

function collectAdmissionFacts(
  { strikes, banStarted, minute }: Decision,
  refusingSince: number,
  { strikesForBan, strikesWithinMs }: RefusalRecorderDependencies,
): AdmissionFacts {
  return {
    refusingSince,
    strikes,
    strikesForBan: strikesForBan(minute.limit),
    strikesWithinMs,
    banStarted,
  };
}

/** Reads the scopes in the challenge of a refusal. */
function readRequiredScopes(headers: readonly string[]): string {
  return /scope="([^"]*)"/.exec(findHeader(headers, 'WWW-Authenticate') ?? '')?.[1] ?? '';
}

/** Lists what excludes an operation: the plan, the key, or both. */
function listExcluding({ planOperations, keyOperations }: Credential, operation: Operation): ('plan' | 'key')[] {
  const selectorsByName = { plan: planOperations, key: keyOperations };
  return (['plan', 'key'] as const).filter((name) => !isIncluded([selectorsByName[name]], operation));
}

function collectMoreFacts({ record, credential, code, at }: RefusedCall): MoreFacts {
  const { operation } = record;
  if (code === 'key_expired' || code === 'key_revoked' || code === 'too_many_failed_attempts') {
    return { expiresAt: credential.expiresAt, keyStatus: credential.status };
  }
  if (code === 'too_many_concurrent_requests' && credential.concurrent !== null) {
    return { concurrent: credential.concurrent };
  }
  if (operation === null) {
    const allow = findHeader(record.refusalHeaders, 'Allow');
    return code === 'method_not_allowed' && allow !== undefined ? { allow } : {};
  }
  if (code === 'insufficient_scope') return { scopes: readRequiredScopes(record.refusalHeaders) };
  if (code === 'operation_not_allowed') return { excludedBy: listExcluding(credential, operation) };
  const { sunsetAt, successor, brownouts } = operation.lifecycle;
  if (code === 'operation_sunset') return { sunsetAt, successor };
  if (code === 'operation_brownout') {
    const brownout = findBrownout(brownouts, at);
    return { sunsetAt, successor, ...(brownout === null ? {} : { brownout }) };
  }
  if (code !== 'body_too_large' || record.maxBodyBytes === null) return {};
  const { maxBodyBytes, contentLength } = record;
  return { maxBodyBytes, bodyBytes: contentLength === undefined ? null : Number(contentLength) };
}
