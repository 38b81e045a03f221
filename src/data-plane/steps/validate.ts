import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { MAX_DETAILS } from '../../base/error-details.ts';
import { hasBody } from '../../http/framing.ts';
import { RETRY_SOON } from '../../http/retry-after.ts';
import { toPathText } from '../../openapi/path-template.ts';
import type { BodyCheck, BodyFaultKind, RequestHead, Violation } from '../../openapi/validation/validation.ts';
import type { Credential } from '../../domain/credential.ts';
import { RESPONDED, type Exchange, type Refusal, type StepResult } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run-steps.ts';
import type { BodyBudget } from '../validation/body-budget.ts';
import { BodyCopy, type CopyFault } from '../validation/body-copy.ts';
import {
  type BrokenRule,
  type CheckedRequest,
  listBrokenRules,
  type UncheckedReason,
  type ValidationObserver,
} from '../validation/checked-request.ts';
import { copyBody, type HeldBody, holdBody } from '../validation/request-body.ts';
import type { OperationChecks } from '../validation/route-validation.ts';
import { BODY_TOO_LARGE, isDeclaredTooLarge } from './body-limit.ts';

interface ValidateDependencies {
  /** `validation.maxBody`, in bytes. */
  readonly maxCheckedBytes: number;
  readonly bodyBudget: BodyBudget;
  readonly validationObservers: readonly ValidationObserver[];
  readonly logger: Logger;
}

const ENCODED: Refusal = {
  code: 'unsupported_media_type',
  message: 'The body must be sent without a Content-Encoding.',
};
const OVERLOADED: Refusal = { code: 'overloaded', headers: ['Retry-After', RETRY_SOON], close: true };

const NONE: readonly never[] = [];
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** @param bytes the body; null: it was not checked, or did not arrive completely */
type ConcludeBody = (bytes: Buffer | null, unchecked: UncheckedReason | null) => void;

/** The rules that a body broke, and how a request with this body is refused; null: the body fits. */
interface BodyVerdict {
  readonly broken: readonly BrokenRule[];
  readonly refusal: Refusal;
}

/** The result of checking the head, and the check of the body if there is one. */
interface HeadVerdict {
  readonly broken: readonly BrokenRule[];
  readonly violations: readonly Violation[];
  readonly checkBody: BodyCheck | null;
  readonly unchecked: UncheckedReason | null;
}

/**
 * Compares requests with the document of their service. Only bodies with a JSON schema are looked at. To refuse such a
 * request, its body must be held back until all of it has arrived. Otherwise, a copy of the body is checked while the
 * body is passed on. The service receives the same bytes either way.
 */
export function createValidate(dependencies: ValidateDependencies): ServeStep {
  const { maxCheckedBytes, bodyBudget, validationObservers: observers, logger } = dependencies;
  return function validate(exchange, credential) {
    const { route } = exchange;
    const { validation } = route;
    if (validation === null || exchange.isReleased) return undefined;
    const { current, candidate } = validation;
    const isEnforced = validation.mode === 'enforce' && credential?.validation !== 'report';
    const own = current === null ? null : isEnforced ? checkHead(exchange, current) : safely(exchange, current);
    if (isEnforced && own !== null && own.broken.length > 0) {
      notify(exchange, credential, 'enforce', own.broken, null);
      return refuse(own.violations);
    }
    const next = candidate === null ? null : candidate.checks === null ? REMOVED : safely(exchange, candidate.checks);
    const reports: ConcludeBody[] = [];
    const report = (mode: CheckedRequest['mode'], head: HeadVerdict) => {
      if (head.checkBody === null) return notify(exchange, credential, mode, head.broken, head.unchecked);
      const { checkBody, broken } = head;
      reports.push((bytes, unchecked) => {
        const verdict = bytes === null ? null : judgeSafely(checkBody, bytes);
        if (verdict === FAILED) return notify(exchange, credential, mode, broken, 'failed');
        notify(exchange, credential, mode, verdict === null ? broken : [...broken, ...verdict.broken], unchecked);
      });
    };
    if (next !== null) report('candidate', next);
    if (own !== null && !isEnforced) report('report', own);
    if (own !== null && isEnforced) {
      if (own.checkBody !== null) return enforceBody(exchange, credential, own.checkBody, reports);
      notify(exchange, credential, 'enforce', NONE, own.unchecked);
    }
    if (reports.length > 0) reportBody(exchange, reports);
    return undefined;
  };

  function notify(
    { route: { operation, upstream, validation } }: Exchange,
    credential: Credential | null,
    mode: CheckedRequest['mode'],
    broken: readonly BrokenRule[],
    unchecked: UncheckedReason | null,
  ): void {
    if (broken.length === 0 && unchecked === null) return;
    const candidate = validation?.candidate?.version ?? null;
    for (const observe of observers) {
      observe({ credential, operation, upstream: upstream.name, mode, candidate, broken, unchecked });
    }
  }

  /** Like `checkHead`, but if the check fails, the request is only counted as unchecked. */
  function safely(exchange: Exchange, checks: OperationChecks): HeadVerdict {
    try {
      return checkHead(exchange, checks);
    } catch (error) {
      logger.error({ err: error }, 'a request could not be compared with its document');
      return { broken: NONE, violations: NONE, checkBody: null, unchecked: 'failed' };
    }
  }

  function judgeSafely(check: BodyCheck, bytes: Buffer): BodyVerdict | null | typeof FAILED {
    try {
      return judge(check, bytes);
    } catch (error) {
      logger.error({ err: error }, 'a request could not be compared with its document');
      return FAILED;
    }
  }

  /** Checks a copy of the body after the body has been passed on. */
  function reportBody({ req, res }: Exchange, reports: readonly ConcludeBody[]): void {
    let isDone = false;
    const finish = (bytes: Buffer | null, unchecked: UncheckedReason | null) => {
      if (isDone) return;
      isDone = true;
      for (const conclude of reports) conclude(bytes, unchecked);
    };
    if (isEncoded(req.headers['content-encoding'])) return finish(null, 'encoded');
    if (isDeclaredTooLarge(req, maxCheckedBytes)) return finish(null, 'too_long');
    const copy = new BodyCopy(maxCheckedBytes, bodyBudget, readLength(req));
    const onClose = () => {
      // A body that did not arrive completely is not checked. The client left, or the gateway refused the request.
      if (req.complete) return;
      finish(null, copy.fault);
      copy.release();
    };
    copyBody(req, copy, () => {
      if (copy.fault === null) finish(copy.bytes, null);
      else finish(null, copy.fault);
      copy.release();
    });
    res.once('close', onClose);
  }

  /** Holds the body back until all of it has arrived and been checked. */
  function enforceBody(
    exchange: Exchange,
    credential: Credential | null,
    check: BodyCheck,
    reports: readonly ConcludeBody[],
  ): StepResult | Promise<StepResult> {
    const { req, res, route } = exchange;
    if (isEncoded(req.headers['content-encoding'])) return ENCODED;
    const maxBytes = Math.min(maxCheckedBytes, route.maxBodyBytes);
    if (isDeclaredTooLarge(req, maxBytes)) return BODY_TOO_LARGE;
    if (exchange.expectsContinue) {
      res.writeContinue();
      exchange.sentContinue = true;
    }
    return new Promise((resolve, reject) => {
      const copy = new BodyCopy(maxBytes, bodyBudget, readLength(req));
      const release = () => copy.release();
      const onClose = () => {
        release();
        resolve(RESPONDED);
      };
      res.once('close', onClose);
      let held: HeldBody | null = null;
      const onEnd = (fault: CopyFault | null) => {
        // A body that arrived earlier ends before `holdBody` has returned.
        if (held === null) queueMicrotask(() => conclude(fault));
        else conclude(fault);
      };
      const conclude = (fault: CopyFault | null) => {
        try {
          resolve(decide(fault));
        } catch (error) {
          reject(error);
        }
      };
      const decide = (fault: CopyFault | null): StepResult => {
        if (fault !== null) return fault === 'too_long' ? BODY_TOO_LARGE : OVERLOADED;
        const verdict = judge(check, copy.bytes);
        if (verdict !== null) {
          notify(exchange, credential, 'enforce', verdict.broken, null);
          held?.discard();
          release();
          return verdict.refusal;
        }
        const { bytes } = copy;
        if (reports.length > 0) setImmediate(() => reports.forEach((report) => report(bytes, null)));
        // The body takes memory until it has been read.
        req.once('end', release);
        held?.passOn();
        return undefined;
      };
      held = holdBody(req, copy, onEnd);
    });
  }
}

const FAILED = 'failed';

/** The verdict on every request of an operation that the candidate does not have. */
const REMOVED: HeadVerdict = {
  broken: [{ rule: 'operation_removed', rulePath: '', message: 'The operation does not exist.' }],
  violations: NONE,
  checkBody: null,
  unchecked: null,
};

function checkHead(exchange: Exchange, { validator, parameters }: OperationChecks): HeadVerdict {
  const { req, query, tunnel } = exchange;
  const withBody = tunnel === null && hasBody(req);
  const head: RequestHead = {
    rawHeaders: req.rawHeaders,
    query: query.slice(1),
    pathParameters: readPathParameters(exchange, parameters),
    hasBody: withBody,
  };
  const violations = validator.checkHead(head);
  const checkBody = withBody ? validator.bodyCheck(req.headers['content-type'] ?? '') : null;
  const unchecked = withBody && checkBody === null && violations.length === 0 ? 'no_json_schema' : null;
  return { broken: listBrokenRules(violations), violations, checkBody, unchecked };
}

function readPathParameters({ match }: Exchange, names: readonly string[]): ReadonlyMap<string, string> {
  if (names.length === 0 || match.kind !== 'operation') return NO_PARAMETERS;
  const { values } = match;
  return new Map(names.map((name, index) => [name, toPathText(values[index] ?? '')]));
}

/** How a body that is not JSON as the gateway accepts it is refused. */
const FAULT_CODES: Readonly<Record<BodyFaultKind, Refusal['code']>> = {
  not_json: 'bad_request',
  duplicate_name: 'bad_request',
  invalid_utf8: 'bad_request',
  byte_order_mark: 'bad_request',
  too_complex: 'body_too_large',
};

function judge(check: BodyCheck, bytes: Buffer): BodyVerdict | null {
  const found = check(bytes);
  if ('fault' in found) {
    const { fault, message } = found;
    return { broken: [{ rule: fault, rulePath: '', message }], refusal: { code: FAULT_CODES[fault], message } };
  }
  return found.length === 0 ? null : { broken: listBrokenRules(found), refusal: refuse(found) };
}

function refuse(violations: readonly Violation[]): Refusal {
  return {
    code: 'validation_failed',
    details: violations.slice(0, MAX_DETAILS).map(({ path, message }) => ({ path, message })),
  };
}

/** The length of a body, in bytes; `Infinity` if it is not declared. */
function readLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? Infinity);
}

function isEncoded(encoding: string | undefined): boolean {
  return encoding !== undefined && encoding.trim().toLowerCase() !== 'identity';
}
