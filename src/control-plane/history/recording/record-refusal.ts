import type { BanPolicy, Decision, Usage } from '../../../data-plane/ports.ts';
import type { Clock } from '../../../base/time.ts';
import { strikesForBan } from '../../../data-plane/admission/bans.ts';
import { errors, type CallErrorCode } from '../../../base/error-codes.ts';
import { GATEWAY_PREFIX } from '../../../http/path-rules.ts';
import type { AdmissionFacts, MoreFacts, QuotaFacts, RefusalFacts } from '../explain/facts.ts';
import type { RefusalCollector } from './refusal-collector.ts';
import type { Credential } from '../../../base/credential.ts';
import { withoutKeys } from '../../../http/redact-keys.ts';
import { brownoutAt } from '../../../openapi/lifecycle.ts';
import { normalizeEscapes } from '../../../openapi/path-template.ts';
import type { Exchange } from '../../../data-plane/exchange.ts';
import type { OnEnded } from '../../../data-plane/observers/access-log.ts';

export interface NoteRefusalSettings {
  readonly collector: RefusalCollector;
  readonly banPolicy: BanPolicy;
  readonly clock: Clock;
}

/** A refusal of a key that is known, with the code it was answered with. */
interface Refused {
  readonly exchange: Exchange;
  readonly credential: Credential;
  readonly code: CallErrorCode;
  /** ms since the Unix epoch. */
  readonly at: number;
}

/** Of a path that no operation has, this many characters are kept. */
const MAX_PATH = 200;

/** Notes what each refusal of a known key was decided from, except for the gateway's own endpoints. */
export function createNoteRefusal({ collector, banPolicy, clock }: NoteRefusalSettings): OnEnded {
  return function noteRefusal(exchange, now) {
    const { credential, refusal: code, usage } = exchange;
    if (code === null || credential === null || exchange.path.startsWith(GATEWAY_PREFIX)) return;
    const at = usage?.now ?? clock();
    const { decision } = exchange;
    const banStarted = decision?.banStarted === true;
    const refusingSince = collector.note(credential.quotaId, at, fullUntil(decision), banStarted);
    if (refusingSince === null) return;
    const admission =
      decision === null || decision.admitted ? null : admissionFacts(decision, refusingSince, banPolicy);
    const facts = factsOf({ exchange, credential, code, at }, now - exchange.startedAt, admission);
    const { quotaId, keyId } = credential;
    collector.add({ requestId: exchange.requestId, quotaId, keyId, at, facts: { ...facts } });
  };
}

/** When the window that refused resets; 0 if none did. */
function fullUntil(decision: Decision | null): number {
  const isFull = decision?.outcome === 'minute_exhausted' || decision?.outcome === 'day_exhausted';
  return isFull ? decision[decision.binding].resetAt : 0;
}

function factsOf(refused: Refused, durationMs: number, admission: AdmissionFacts | null): RefusalFacts {
  const { exchange, credential, code } = refused;
  const { match, decision, usage } = exchange;
  const operation = match.kind === 'operation' ? match.route.operation : null;
  const cost = operation?.cost ?? 1;
  const more = moreFacts(refused);
  return {
    code,
    status: errors[code].status,
    retryAfterSeconds: retryAfterOf(exchange.refusalHeaders),
    method: exchange.req.method ?? '',
    operation: operation?.id ?? null,
    path: operation === null ? withoutKeys(normalizeEscapes(exchange.path)).slice(0, MAX_PATH) : null,
    plan: credential.plan,
    cost,
    charged: decision?.admitted === true ? cost : 0,
    durationMs: Math.round(durationMs),
    quota: usage === null ? null : quotaFacts(usage),
    admission,
    more,
    freeAt: (admission === null ? more.brownout?.to : decision?.retryAt) || null,
  };
}

/** @param headers flat pairs */
function retryAfterOf(headers: readonly string[]): number | null {
  const index = headers.indexOf('Retry-After');
  return index === -1 ? null : Number(headers[index + 1]);
}

function quotaFacts({ minute, day, ban, degraded }: Usage): QuotaFacts {
  return { minute, day, ban, degraded: degraded === true };
}

function admissionFacts(
  { strikes, banStarted, minute }: Decision,
  refusingSince: number,
  policy: BanPolicy,
): AdmissionFacts {
  return {
    refusingSince,
    strikes,
    strikesForBan: strikesForBan(minute.limit, policy),
    strikesWithinMs: policy.withinMs,
    banStarted,
  };
}

function moreFacts({ exchange: { match, req }, credential, code, at }: Refused): MoreFacts {
  if (code === 'key_expired' || code === 'key_revoked' || code === 'too_many_failed_attempts') {
    return { expiresAt: credential.expiresAt, keyStatus: credential.status };
  }
  if (code === 'method_not_allowed' && match.kind === 'no_method') return { allow: match.allow };
  if (match.kind !== 'operation') return {};
  const { operation, maxBodyBytes } = match.route;
  const { sunsetAt, successor, brownouts } = operation.lifecycle;
  if (code === 'operation_sunset') return { sunsetAt, successor };
  if (code === 'operation_brownout') {
    const brownout = brownoutAt(brownouts, at);
    return { sunsetAt, successor, ...(brownout === null ? {} : { brownout }) };
  }
  if (code !== 'body_too_large') return {};
  const length = req.headers['content-length'];
  return { maxBodyBytes, bodyBytes: length === undefined ? null : Number(length) };
}
