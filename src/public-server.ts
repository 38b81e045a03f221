import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import express from 'express';
import type { Logger } from 'pino';
import type { Config } from './config/load.ts';
import { Connections } from './connections.ts';
import { drainServer } from './drain.ts';
import type { RequestMetrics } from './observability/request-metrics.ts';
import { createClientErrorListener } from './pipeline/client-error.ts';
import { Exchange } from './pipeline/exchange.ts';
import type { Guard } from './pipeline/guard.ts';
import type { Pipeline } from './pipeline/index.ts';

export interface PublicServer {
  readonly server: Server;
  readonly connections: Connections;
  /** Called again, it is the same drain. */
  drain(deadline: number): Promise<void>;
}

/** The listener that consumers call: one Express layer that holds the whole request path. */
export function createPublicServer(
  edge: Config['edge'],
  pipeline: Pipeline,
  guard: Guard,
  logger: Logger,
  metrics: RequestMetrics,
): PublicServer {
  const begin = (req: IncomingMessage, res: ServerResponse, expectsContinue: boolean) => {
    const exchange = new Exchange(req, res, expectsContinue);
    connections.began(exchange);
    pipeline.run(exchange);
  };

  const app = express();
  app.disable('x-powered-by');
  app.use((req, res) => begin(req, res, false));

  const server = createServer(
    {
      maxHeaderSize: edge.maxHeader,
      headersTimeout: edge.headersTimeout,
      requestTimeout: edge.requestTimeout,
      keepAliveTimeout: edge.keepAlive,
      connectionsCheckingInterval: 1000,
      // The edge step refuses it, with the body and headers of any other refusal.
      requireHostHeader: false,
    },
    // What Express cannot parse it hands to the last argument: the edge step has the answer to that too.
    (req, res) => app(req as express.Request, res as express.Response, () => begin(req, res, false)),
  );
  const connections = new Connections(server);
  server.maxConnections = edge.maxConnections;
  server.on('checkContinue', (req, res) => begin(req, res, true));
  server.on('checkExpectation', (req, res) => begin(req, res, false));
  server.on(
    'clientError',
    createClientErrorListener(guard, logger, (code) => metrics.recordUnparsed(code)),
  );
  let drained: Promise<void> | undefined;
  return {
    server,
    connections,
    drain: (deadline) => (drained ??= drainServer(server, connections, deadline)),
  };
}
