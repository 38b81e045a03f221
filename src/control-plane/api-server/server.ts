import type { RequestListener, Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../base/time.ts';
import { createApp } from './api-app.ts';
import { FAILED_ATTEMPTS } from './failed-attempts.ts';
import { AddressLimiter } from '../../http/call-limiter.ts';
import { Connections } from '../../http/connections.ts';
import { drainServer } from '../../http/drain-server.ts';
import type { Certificate } from '../../http/reloaded-certificate.ts';
import { type ConnectionLimits, limitConnections, limitWriteStalls } from '../../http/connection-limits.ts';
import { formatUrl, createHttpServer, connectionEvent } from '../../http/http-server.ts';
import { lingerAtEnd } from '../../http/linger.ts';
import { createRefuseRaw, type RefuseRaw, clientErrorCode } from '../../http/raw-refusal.ts';

type CreateApplication = () => RequestListener | Promise<RequestListener>;

/** A listener with an API and pages for browsers. */
export interface ApiServer {
  readonly server: Server;
  /** Dependencies of an application. */
  readonly listener: ApiListenerOptions;
  /**
   * Makes an application serve from the next request on. Call it before listening. The application is created by that
   * request, because reading its document takes a while and should not delay a start or reload. Until it is created,
   * further requests wait too. If it cannot be created, requests get 500.
   */
  use(createApplication: CreateApplication): void;
  /** See `drainServer`. */
  drain(deadlineMs: number, idleMs?: number): Promise<void>;
}

/**
 * Longer than most proxies keep an idle connection (60 s): they must not send a request on one that is being closed.
 */
const KEEP_ALIVE_MS = 75_000;
/** As on the public listener by default: `edge` in the configuration. */
const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, writeMs: 30_000 };
/** Time between two looks for slow clients. */
const CHECK_MS = 1000;

/** Listener parts that the server passes to its application. */
export interface ApiListenerOptions {
  readonly addressLimiter: AddressLimiter;
  /** Where the listener is, once it listens. */
  readonly listensAt: () => URL;
}

/** Options of the server itself. */
interface ApiServerOptions {
  /** From the configuration, for the log. */
  readonly section: 'admin' | 'portal';
  readonly limits: ConnectionLimits;
  /** By address. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without TLS if undefined. */
  readonly certificate?: Certificate | null;
  /** How long a client may take to send its headers and its whole request, and may read nothing of the response. */
  readonly timeouts?: typeof TIMEOUTS;
}

export function createApiServer(settings: ApiServerOptions): ApiServer {
  const { clock, logger, certificate = null, timeouts = TIMEOUTS } = settings;
  const addressLimiter = new AddressLimiter(FAILED_ATTEMPTS, clock);
  const application = new LazyApplication(logger);
  const { listener } = application;
  const server = createHttpServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
      // `checkFraming` refuses a missing Host, with the same body as any refusal.
      requireHostHeader: false,
    },
    certificate,
    listener,
  );
  // Whatever the last response is, the client may still be sending data that nothing reads.
  server.on(connectionEvent(server), lingerAtEnd);
  // Each uses a file descriptor, and the public listener needs those of the same process.
  limitConnections(server, settings);
  // Otherwise Node responds by itself, before authentication.
  server.on('checkExpectation', listener);
  const connections = new Connections(server);
  for (const event of ['request', 'checkExpectation']) {
    server.prependListener(event, (req: IncomingMessage, res: ServerResponse) => connections.recordStart({ req, res }));
  }
  limitWriteStalls(server, connections, timeouts.writeMs);
  refuseUnparsed(server, connections, createRefuseRaw(addressLimiter, logger));
  return {
    server,
    listener: { addressLimiter, listensAt: () => new URL(formatUrl(server)) },
    use: (create) => application.use(create),
    drain: (deadlineMs, idleMs) => drainServer(server, connections, deadlineMs, idleMs),
  };
}

/** An application that the first request creates. */
class LazyApplication {
  readonly #logger: Logger;
  #create: CreateApplication = () => {
    throw new Error('no application was set');
  };
  #created: RequestListener | null = null;
  #creating: Promise<RequestListener> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Replaces the application. Requests that already wait for the previous one still go to it. */
  use(create: CreateApplication): void {
    this.#create = create;
    this.#created = null;
    this.#creating = null;
  }

  readonly listener: RequestListener = (req, res) => {
    if (this.#created !== null) return this.#created(req, res);
    this.#creating ??= this.#start(this.#create);
    void this.#creating.then((application) => application(req, res));
  };

  /** Never rejects. After a failure, the next request tries again. */
  async #start(create: CreateApplication): Promise<RequestListener> {
    // `#creating` is set before this fails.
    await nextTurn();
    try {
      const application = await create();
      // The first request takes long, too.
      await nextTurn();
      if (create === this.#create) this.#created = application;
      return application;
    } catch (error) {
      if (create === this.#create) this.#creating = null;
      return failing(error, this.#logger);
    }
  }
}

/** Answers with an error: thrown in a listener instead, it would end the process. */
function failing(error: unknown, logger: Logger): RequestListener {
  const fail = () => {
    throw error;
  };
  return createApp([fail], { response: 'response', failure: 'cannot create the API' }, logger);
}

/** Answers what Node's parser refuses; if an earlier request on the connection still runs, closes the connection. */
function refuseUnparsed(server: Server, connections: Connections, refuseRaw: RefuseRaw): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    const isOver = error.code === 'ECONNRESET' || !socket.writable || connection === undefined;
    if (isOver || connection.isBusy) socket.destroy();
    else refuseRaw(socket, clientErrorCode(error), { parser: error.code });
  });
}

/** Adds a path to a URL that may have a path itself. */
export function joinUrl(base: URL, path: string): string {
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${path}`;
}
