import type { RequestListener } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import type { AdmissionStore, Clock } from '../admission/store.ts';
import { requestIdFrom } from '../pipeline/steps/request-id.ts';
import type { AddressLimiter } from '../pipeline/caller/address-limiter.ts';
import { withoutKeys } from '../registry/redact.ts';
import type { Registry } from '../registry/registry.ts';
import { auditOperations } from './resources/audit.ts';
import type { AdminToken } from './access/admin-token.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { banOperations } from './resources/bans.ts';
import { loadDocument } from './document.ts';
import { importOperations } from './resources/import-keys.ts';
import { keyOperations } from './resources/keys.ts';
import type { AdminOperations } from './operation.ts';
import { operationOperations, type ServedOperation } from './resources/operations.ts';
import { planOperations } from './resources/plans.ts';
import { createProbes, type ProbesSettings } from './probes.ts';
import { createErrors, type Handler } from './http/respond.ts';
import { createRoute } from './route.ts';
import { usageOperations } from './resources/usage.ts';

export interface AdminSettings extends ProbesSettings {
  readonly registry: Registry;
  readonly store: AdmissionStore;
  readonly tokens: readonly AdminToken[];
  readonly addressLimiter: AddressLimiter;
  /** The operations that the gateway serves. */
  readonly served: readonly ServedOperation[];
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * The admin API, which operators call, as one Express application.
 *
 * @throws StartError if the API's document and its handlers do not match
 */
export function createAdmin(settings: AdminSettings): RequestListener {
  const { tokens, addressLimiter, clock, logger } = settings;
  const handlers = allOperations(settings, () => document.value);
  const document = loadDocument(handlers);

  const app = express();
  app.disable('x-powered-by');
  app.use(createBegin(logger));
  app.use(createProbes(settings));
  // Before routing: paths must reveal nothing to callers without a token.
  app.use(createAuthenticate(tokens, addressLimiter, clock));
  app.use(createRoute(document, handlers, clock));
  app.use(createErrors(logger));

  return function admin(req, res) {
    // Express would answer by itself, without asking for a token, if it could not parse the target. So it gets `/`; our
    // route reads `originalUrl`.
    Object.assign(req, { originalUrl: req.url, url: '/' });
    (app as unknown as RequestListener)(req, res);
  };
}

function allOperations({ registry, store, served, clock }: AdminSettings, document: () => object): AdminOperations {
  return {
    getOpenApi: () => ({ status: 200, body: document() }),
    ...keyOperations(registry, clock),
    ...importOperations(registry, clock),
    ...planOperations(registry),
    ...usageOperations(registry, store),
    ...banOperations(registry, store),
    ...auditOperations(registry),
    ...operationOperations(served),
  };
}

/** Writes one log line per response, even if it is cut off. It leaves out query and headers, which may hold secrets. */
function createBegin(logger: Logger): Handler {
  return function begin(req, res, next) {
    const startedAt = performance.now();
    const { locals } = res;
    locals.requestId = requestIdFrom(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', locals.requestId);
    res.setHeader('Cache-Control', 'no-store');
    res.once('close', () => {
      const { requestId, token, operationId: operation, refusal: reason } = locals;
      const path = operation === undefined ? withoutKeys(req.originalUrl.split('?', 1)[0] ?? '') : undefined;
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const aborted = res.writableFinished ? undefined : true;
      const line = { requestId, actor: token?.name, method: req.method, operation, path };
      const outcome = { status: res.statusCode, durationMs, reason, aborted };
      const level = locals.probe === true ? 'debug' : res.statusCode >= 500 ? 'error' : 'info';
      logger[level]({ ...line, ...outcome }, 'admin response');
    });
    next();
  };
}
