import type { Logger } from 'pino';
import { chooseRequestId } from '../../http/headers.ts';
import { replaceKeys } from '../../http/redact-keys.ts';
import type { Handler } from './send-response.ts';

/**
 * Writes one log line per response, even if the response is cut off. The query and the headers are left out, because they
 * may contain secrets.
 *
 * @param message the log message for a response
 */
export function createRequestLog(message: string, logger: Logger): Handler {
  return function logRequest(req, res, next) {
    const startedAt = performance.now();
    const { locals } = res;
    locals.requestId = chooseRequestId(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', locals.requestId);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    res.once('close', () => {
      const { requestId, caller, operationId: operation, refusal: reason } = locals;
      const path = operation === undefined ? replaceKeys(req.originalUrl.split('?', 1)[0] ?? '') : undefined;
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const aborted = res.writableFinished ? undefined : true;
      const requestFields = { requestId, actor: caller?.name, method: req.method, operation, path };
      const outcome = { status: res.statusCode, durationMs, reason, aborted };
      const level = locals.isRoutine === true ? 'debug' : res.statusCode >= 500 ? 'error' : 'info';
      logger[level]({ ...requestFields, ...outcome }, message);
    });
    next();
  };
}
