import { createHeaderRules, type HeaderRules } from './responses/merge-headers.ts';
import { listKeyHeaders } from './credentials/presented-key.ts';
import { createPushKnownUsageHeaders, createPushUsageHeaders } from './exchange/push-usage.ts';
import { createPermissionFactory, type PermissionDependencies } from './websocket/tunnel-registry.ts';
import type { Exchange, Refusal } from './exchange/exchange.ts';
import { createAccessLog } from './observers/access-log.ts';
import { recordServerSpan } from './observers/spans.ts';
import { createPipeline, type PipelineOptions } from './pipeline.ts';
import { createRunner, RunningRequests } from './exchange/run-steps.ts';
import { listExposedHeaders } from './steps/cors.ts';
import { createErrorStep } from './steps/errors.ts';
import { createUpgrade } from './steps/websocket-upgrade.ts';
import { NO_OFFER } from './websocket/subprotocols.ts';

/** The dependencies of the steps, except the ones that the data plane creates itself. */
export type DataPlaneOptions = Omit<PipelineOptions, 'running' | 'pushUsage' | 'protect' | 'interrupt' | 'upgrade'> &
  Pick<PermissionDependencies, 'findVerifier'>;

/** Serves consumers' requests according to one configuration. A reload replaces it with a new data plane. */
export interface DataPlane {
  readonly run: (exchange: Exchange) => void;
  /** Refuses a running request. If the response has begun, it is cut off. */
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** Resolves when no request is running. Event streams and tunnels may continue. */
  readonly waitUntilIdle: () => Promise<void>;
  /** Releases the steps and the documents. Call it only after the data plane has been replaced and is idle. */
  readonly release: () => void;
  /** The names of the steps, in order. */
  readonly stepNames: readonly string[];
}

export function createDataPlane(options: DataPlaneOptions): DataPlane {
  const {
    store,
    inFlight,
    addressLimiter,
    clientAddress,
    credentialCache: credentials,
    tunnels,
    clock,
    logger,
  } = options;
  const pushUsage = createPushUsageHeaders(options.ietfHeaders);
  const pushKnownUsageHeaders = createPushKnownUsageHeaders({
    addressLimiter,
    store,
    inFlight,
    clientAddress,
    pushUsageHeaders: pushUsage,
  });
  const errors = createErrorStep(pushKnownUsageHeaders, logger);
  const chooseHeaderRules = createChooseHeaderRules(options);
  const createPermission = createPermissionFactory({
    credentialCache: credentials,
    store,
    clientAddress,
    findVerifier: options.findVerifier,
    clock,
  });
  const running = new RunningRequests();
  const onEventStream = (exchange: Exchange) => {
    tunnels.addEventStream(exchange.res, createPermission(exchange));
    running.endAsConnection(exchange, exchange.res);
  };
  const protect = (exchange: Exchange) => {
    exchange.res.protectHeaders(exchange, chooseHeaderRules(exchange), onEventStream);
    // An upstream can cause errors outside any awaited call, such as by writing after the end of the response.
    exchange.res.on('error', (error) => errors.fail(exchange, error));
  };
  const phases = createPipeline({
    ...options,
    observers: [...options.observers, ...(options.tracing === null ? [] : [recordServerSpan]), createAccessLog(logger)],
    running,
    pushUsage,
    protect,
    interrupt: errors.interrupt,
    upgrade: createUpgrade({ tunnels, createPermission, clientAddress, chooseHeaderRules, protect }),
  });
  const { run, release } = createRunner(phases, errors);
  const steps = [...phases.arrive, phases.authenticate, ...phases.serve];
  return {
    run(exchange) {
      running.begin();
      run(exchange);
    },
    interrupt: errors.interrupt,
    waitUntilIdle: () => running.waitUntilIdle(),
    release,
    stepNames: [...steps.map(({ name }) => name), 'errors'],
  };
}

/**
 * Creates the function that chooses the header rules for a request. The key of a WebSocket handshake may be among the
 * offered subprotocols, so the response to such an offer also varies by `Sec-WebSocket-Protocol`.
 */
function createChooseHeaderRules({ foreignKeys, corsOrigins, exposedHeaders }: DataPlaneOptions) {
  const exposedHeaderNames = corsOrigins.length === 0 ? null : listExposedHeaders(exposedHeaders);
  const rules = createHeaderRules(listKeyHeaders(foreignKeys), exposedHeaderNames);
  const offerRules = createHeaderRules([...listKeyHeaders(foreignKeys), 'Sec-WebSocket-Protocol'], exposedHeaderNames);
  return function chooseHeaderRules({ tunnel }: Exchange): HeaderRules {
    return tunnel === null || tunnel.offer === NO_OFFER ? rules : offerRules;
  };
}
