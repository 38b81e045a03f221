import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import type { Logger } from 'pino';
import { findConnectionEvent, createHttpServer, http } from '../../http/http-server.ts';
import { type ConnectionLimits, limitConnections, limitWriteStalls } from '../../http/connection-limits.ts';
import { Connections } from '../../http/connections.ts';
import { drainServer } from '../../http/drain-server.ts';
import type { RequestMetrics } from '../observers/request-metrics.ts';
import { createClientErrorListener, refuseConnect } from './client-error.ts';
import { Exchange } from '../exchange/exchange.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { beginHandshake, isHandshake } from '../websocket/handshake.ts';
import type { DataPlane } from '../data-plane.ts';
import { asksForUpgrade } from '../../http/framing.ts';
import { lingerAtEnd } from '../../http/linger.ts';
import { createRefuseRaw } from '../../http/raw-refusal.ts';
import { GatewayResponse } from '../responses/response.ts';
import type { Tunnel } from '../websocket/tunnel.ts';
import type { TunnelRegistry } from '../websocket/tunnel-registry.ts';
import type { Certificate } from '../../http/reloaded-certificate.ts';

export interface PublicServer {
  readonly server: Server;
  readonly connections: Connections<Exchange>;
  /** Makes a data plane serve all further requests. Must be called before the server listens. */
  use(dataPlane: DataPlane): void;
  /** Drains the server. Further calls wait for the same drain. */
  drain(deadlineMs: number): Promise<void>;
}

interface PublicServerOptions {
  readonly tunnels: TunnelRegistry;
  readonly addressLimiter: AddressLimiter;
  /** Whether an address belongs to a trusted proxy. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** Null for a listener without TLS. */
  readonly certificate: Certificate | null;
}

/** Sizes in bytes, times in ms. */
interface ListenerLimits extends ConnectionLimits {
  readonly maxHeader: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAlive: number;
  readonly writeTimeout: number;
}

/** Creates the listener for consumers: an Express app with a single layer for the whole request path. */
export function createPublicServer(
  edge: ListenerLimits,
  { tunnels, addressLimiter, isTrustedProxy, logger, metrics, certificate }: PublicServerOptions,
): PublicServer {
  let dataPlane: DataPlane;
  const startRequest = (
    req: IncomingMessage,
    res: GatewayResponse,
    expectsContinue: boolean,
    tunnel: Tunnel | null = null,
  ) => {
    const exchange = new Exchange(req, res, expectsContinue, tunnel);
    connections.recordStart(exchange);
    dataPlane.run(exchange);
  };
  const handleArrival = (req: IncomingMessage, res: GatewayResponse, expectsContinue: boolean) => {
    const connection = connections.get(req.socket);
    if (connection === undefined || connection.isClosing) return;
    if (asksForUpgrade(req)) res.shouldKeepAlive = false;
    if (!res.shouldKeepAlive) connection.markLast();
    if (connection.isBusy) connection.runInTurn(() => startRequest(req, res, expectsContinue));
    else startRequest(req, res, expectsContinue);
  };

  const app = express();
  app.disable('x-powered-by');
  // Express sets these prototypes on every request and response, which would be the most expensive part of this layer.
  // Setting the prototypes that the objects already have is cheap. Express's own are not needed, because there are no
  // Express handlers.
  app.request = http.IncomingMessage.prototype as express.Request;
  app.response = GatewayResponse.prototype as unknown as express.Response;
  app.use((req, res) => handleArrival(req, res as unknown as GatewayResponse, false));

  const server = createHttpServer(
    {
      ServerResponse: GatewayResponse,
      maxHeaderSize: edge.maxHeader,
      headersTimeout: edge.headersTimeout,
      requestTimeout: edge.requestTimeout,
      keepAliveTimeout: edge.keepAlive,
      connectionsCheckingInterval: 1000,
      // The edge step refuses a missing Host, with the same body and headers as any other refusal.
      requireHostHeader: false,
      // An upgrade would take over the connection before earlier requests on it have got their responses. In that case, a
      // handshake is treated as an ordinary request, as RFC 9110, 7.8 allows.
      shouldUpgradeCallback: (req) => isHandshake(req) && connections.get(req.socket)?.isFree === true,
    },
    certificate,
    // Express calls the last argument for requests that it cannot parse. The edge step responds to these requests too.
    (req, res) => app(req as express.Request, res as unknown as express.Response, () => handleArrival(req, res, false)),
  );
  const connections: Connections<Exchange> = new Connections(server);
  // The connection must not be closed immediately after its last response, because the client may still be sending.
  server.on(findConnectionEvent(server), lingerAtEnd);
  limitConnections(server, {
    limits: edge,
    section: 'edge',
    isTrustedProxy,
    logger,
    onRejected: () => connections.dropped++,
  });
  server.on('checkContinue', (req, res) => handleArrival(req, res, true));
  server.on('checkExpectation', (req, res) => handleArrival(req, res, false));
  const refuseRaw = createRefuseRaw(addressLimiter, logger, (code) => metrics.recordUnparsed(code));
  // The data plane is looked up at every call, because a reload replaces it.
  const interrupt: DataPlane['interrupt'] = (exchange, refusal) => dataPlane.interrupt(exchange, refusal);
  const findConnection = (socket: Socket) => connections.get(socket);
  server.on('clientError', createClientErrorListener(refuseRaw, findConnection, interrupt));
  server.on('connect', (req, stream) => refuseConnect(req.socket, stream, findConnection(req.socket), refuseRaw));
  server.on('upgrade', (req, socket: Socket, head) => {
    const { res, tunnel } = beginHandshake(req, socket, head);
    startRequest(req, res, false, tunnel);
  });
  limitWriteStalls(server, connections, edge.writeTimeout);
  let drainPromise: Promise<void> | undefined;
  const drain = (deadlineMs: number) => {
    tunnels.drain(deadlineMs);
    return drainServer(server, connections, deadlineMs);
  };
  return {
    server,
    connections,
    use(next) {
      dataPlane = next;
    },
    drain: (deadlineMs) => (drainPromise ??= drain(deadlineMs)),
  };
}
