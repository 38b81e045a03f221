import type { AdminToken } from './control-plane/admin/access/admin-token.ts';
import { resolveAdminTokens } from './control-plane/admin/access/token.ts';
import { banPolicyOf } from './config/sections/plan-settings.ts';
import type { Config } from './config/load.ts';
import { createAdmin } from './create-admin.ts';
import { createPortal } from './create-portal.ts';
import { type ApiServer, createApiServer } from './control-plane/api/server.ts';
import type { Opened } from './opened.ts';
import { createAddressLimiter } from './http/address-limiter.ts';
import { createClientAddress, createIsTrustedAddress, createIsTrustedProxy } from './http/addresses.ts';
import { VouchedKeys } from './data-plane/caller/vouched-keys.ts';
import { endpointsDocument } from './control-plane/gateway-endpoints/document.ts';
import { createRecordHistory } from './control-plane/history/recording/record-request.ts';
import { createPipeline, type Pipeline, type PipelineSettings } from './data-plane/pipeline.ts';
import { createQuotaThresholds } from './control-plane/events/quota-thresholds.ts';
import { createNoteRefusal } from './control-plane/history/recording/record-refusal.ts';
import { recordServerSpan } from './data-plane/observers/server-span.ts';
import { TunnelRegistry } from './data-plane/websocket/tunnel-registry.ts';
import { createPublicServer, type PublicServer } from './data-plane/listener/public-server.ts';
import type { StartContext } from './start-context.ts';
import { publicDocument } from './openapi/public-document.ts';
import type { Route } from './data-plane/upstreams/upstream.ts';

/** What answers requests, as one configuration has it; not in use yet. */
export interface PreparedHandlers {
  /** What opens the admin API; the first one is the admin token. */
  readonly tokens: readonly AdminToken[];
  /** Puts it in place of what answers now. @returns resolves once the last request that had begun before is over */
  use(): Promise<void>;
}

/** The servers, and what answers in them: exchanged as a whole, between two requests. */
export class Serving {
  readonly publicServer: PublicServer;
  readonly adminServer: ApiServer;
  /** Null if it is not enabled. */
  readonly portalServer: ApiServer | null;
  readonly #context: StartContext;
  readonly #opened: Opened;
  readonly #addressLimiter;
  readonly #publicLimiter;
  readonly #tunnels: TunnelRegistry;
  readonly #vouchedKeys = new VouchedKeys();
  #pipeline: Pipeline | null = null;
  #isTrustedAddress: (address: string) => boolean;

  /** None of the servers listens yet, or has anything that answers. */
  constructor(context: StartContext, opened: Opened) {
    const { config, logger, clock, metrics } = context;
    const { certificates } = opened;
    this.#context = context;
    this.#opened = opened;
    const limits = addressLimits(config);
    this.#addressLimiter = createAddressLimiter(limits.failedAttempts, clock);
    this.#publicLimiter = createAddressLimiter(limits.publicRequests, clock);
    const { maxTunnels: maxPerKey, tunnelIdle: idleMs } = config.edge;
    this.#tunnels = new TunnelRegistry({ maxPerKey, idleMs, logger });
    this.#isTrustedAddress = createIsTrustedAddress(config.trustedProxies);
    const isTrustedProxy = (address: string) => this.#isTrustedAddress(address);
    this.publicServer = createPublicServer(config.edge, {
      tunnels: this.#tunnels,
      addressLimiter: this.#addressLimiter,
      isTrustedProxy,
      logger,
      metrics: metrics.requests,
      certificate: certificates.public,
    });
    const api = (section: 'admin' | 'portal') =>
      createApiServer({
        section,
        limits: config[section],
        isTrustedProxy,
        clock,
        logger,
        certificate: certificates[section],
      });
    this.adminServer = api('admin');
    this.portalServer = opened.portal === null ? null : api('portal');
  }

  /** @throws StartError if the tokens of the admin API cannot be used */
  prepare(config: Config, routes: readonly Route[]): PreparedHandlers {
    const context = { ...this.#context, config };
    const clientAddress = createClientAddress(config.trustedProxies);
    const document = publicDocument(config.upstreams, endpointsDocument());
    const tokens = resolveAdminTokens(
      { fromEnvironment: config.adminToken, dataDir: config.dataDir },
      config.adminTokens,
    );
    const pipeline = this.#createPipeline(context, { routes, clientAddress, publicDocument: document });
    const shown = { clientAddress, publicDocument: document, served: routes };
    return { tokens, use: () => this.#use(context, pipeline, tokens, shown) };
  }

  #use(context: StartContext, pipeline: Pipeline, tokens: readonly AdminToken[], shown: Shown): Promise<void> {
    const before = this.#pipeline;
    this.#pipeline = pipeline;
    const limits = addressLimits(context.config);
    this.#addressLimiter.adjust(limits.failedAttempts);
    this.#publicLimiter.adjust(limits.publicRequests);
    this.#isTrustedAddress = createIsTrustedAddress(context.config.trustedProxies);
    const { publicServer, adminServer, portalServer } = this;
    publicServer.use(pipeline);
    const servers = { publicServer, adminServer, portalServer };
    adminServer.use(() => createAdmin(context, this.#opened, { tokens, ...shown, ...servers }));
    const { storage, portal, webhooks } = this.#opened;
    if (portal !== null && portalServer !== null) {
      const called = { server: publicServer.server, vouchedKeys: this.#vouchedKeys, webhooks, ...shown };
      portalServer.use(() => createPortal(context, storage, portal, { ...called, ...portalServer.listener }));
    }
    return before === null ? Promise.resolve() : before.idle();
  }

  #createPipeline(
    { config, logger, clock, metrics }: StartContext,
    ofConfig: Pick<PipelineSettings, 'routes' | 'clientAddress' | 'publicDocument'>,
  ): Pipeline {
    const { credentialCache, counters, bans, history, events } = this.#opened.storage;
    const recordHistory = createRecordHistory(history.recorder);
    const noteRefusal = createNoteRefusal({ collector: history.refusals, banPolicy: banPolicyOf(config.bans), clock });
    return createPipeline({
      ...ofConfig,
      addressLimiter: this.#addressLimiter,
      publicLimiter: this.#publicLimiter,
      tunnels: this.#tunnels,
      vouchedKeys: this.#vouchedKeys,
      history: history.store,
      historyKeep: config.history.keep,
      credentialCache,
      store: counters.store,
      corsOrigins: config.cors.origins,
      dropHeaders: config.edge.dropHeaders,
      clock,
      logger,
      ietfHeaders: config.rateLimitHeaders.includes('ietf'),
      afterSunset: config.afterSunset,
      tracing: this.#opened.traces,
      isTrustedProxy: createIsTrustedProxy(config.trustedProxies),
      onEnded(exchange, now) {
        metrics.ended(exchange, now);
        recordHistory(exchange, now);
        noteRefusal(exchange, now);
        if (exchange.trace !== null) recordServerSpan(exchange, now);
      },
      onDecided: createQuotaThresholds(events.note),
      onBanned: bans.noticed,
    });
  }
}

/** What an API shows of the request path. */
type Shown = Pick<PipelineSettings, 'clientAddress' | 'publicDocument'> & { readonly served: readonly Route[] };

function addressLimits({ guard: { failedAttempts, publicRequests, within: withinMs } }: Config) {
  return {
    failedAttempts: { limit: failedAttempts, withinMs },
    publicRequests: { limit: publicRequests, withinMs },
  };
}
