import { createServer, IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import express from 'express';
import type { Logger } from 'pino';
import type { Config } from './config/load.ts';
import { Connections } from './connections.ts';
import { drainServer } from './drain.ts';
import type { RequestMetrics } from './observability/request-metrics.ts';
import { createClientErrorListener } from './pipeline/client-error.ts';
import { Exchange } from './pipeline/exchange.ts';
import type { Guard } from './pipeline/guard.ts';
import { beginHandshake, isHandshake } from './pipeline/handshake.ts';
import type { Pipeline } from './pipeline/index.ts';
import { createRefuseRaw } from './pipeline/raw-refusal.ts';
import { GatewayResponse } from './pipeline/response.ts';
import type { Tunnel } from './pipeline/tunnel.ts';
import type { Tunnels } from './pipeline/tunnels.ts';

export interface PublicServer {
  readonly server: Server;
  readonly connections: Connections;
  /** Called again, it is the same drain. */
  drain(deadline: number): Promise<void>;
}

export interface PublicServerSettings {
  readonly pipeline: Pipeline;
  readonly tunnels: Tunnels;
  readonly guard: Guard;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
}

/** The listener that consumers call: one Express layer that holds the whole request path. */
export function createPublicServer(
  edge: Config['edge'],
  { pipeline, tunnels, guard, logger, metrics }: PublicServerSettings,
): PublicServer {
  const begin = (
    req: IncomingMessage,
    res: GatewayResponse,
    expectsContinue: boolean,
    tunnel: Tunnel | null = null,
  ) => {
    // What comes behind a request that closes its connection is not a request that anybody sent for certain.
    if (connections.latest(req.socket)?.closing === true) return;
    const exchange = new Exchange(req, res, expectsContinue, tunnel);
    connections.began(exchange);
    pipeline.run(exchange);
  };

  const app = express();
  app.disable('x-powered-by');
  // Express gives every request and response these prototypes. Its own are for handlers, of which there are none; and
  // with those that they have already, nothing is changed, which is the dearest part of an Express layer.
  app.request = IncomingMessage.prototype as express.Request;
  app.response = GatewayResponse.prototype as unknown as express.Response;
  app.use((req, res) => begin(req, res as unknown as GatewayResponse, false));

  const server = createServer(
    {
      ServerResponse: GatewayResponse,
      maxHeaderSize: edge.maxHeader,
      headersTimeout: edge.headersTimeout,
      requestTimeout: edge.requestTimeout,
      keepAliveTimeout: edge.keepAlive,
      connectionsCheckingInterval: 1000,
      // The edge step refuses it, with the body and headers of any other refusal.
      requireHostHeader: false,
      shouldUpgradeCallback: isHandshake,
    },
    // What Express cannot parse it hands to the last argument: the edge step has the answer to that too.
    (req, res) => app(req as express.Request, res as unknown as express.Response, () => begin(req, res, false)),
  );
  const connections = new Connections(server);
  server.maxConnections = edge.maxConnections;
  server.on('checkContinue', (req, res) => begin(req, res, true));
  server.on('checkExpectation', (req, res) => begin(req, res, false));
  const refuseRaw = createRefuseRaw(guard, logger, (code) => metrics.recordUnparsed(code));
  const exchangeOn = (socket: Socket) => connections.latest(socket);
  server.on('clientError', createClientErrorListener(refuseRaw, { exchangeOn, interrupt: pipeline.interrupt }));
  server.on('connect', (_req, socket: Socket) => refuseRaw(socket, 'method_not_allowed', {}, ['Allow', 'GET, HEAD']));
  server.on('upgrade', (req, socket: Socket, head) => {
    const { res, tunnel } = beginHandshake(req, socket, head);
    if (exchangeOn(socket)?.closing === true) socket.destroy();
    else begin(req, res, false, tunnel);
  });
  let drained: Promise<void> | undefined;
  const drain = (deadline: number) => {
    tunnels.drain(deadline);
    return drainServer(server, connections, deadline);
  };
  return { server, connections, drain: (deadline) => (drained ??= drain(deadline)) };
}
