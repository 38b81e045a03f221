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
import { formatUrl, createHttpServer, findConnectionEvent } from '../../http/http-server.ts';
import { lingerAtEnd } from '../../http/linger.ts';
import { createRefuseRaw, type RefuseRaw, toClientErrorCode } from '../../http/raw-refusal.ts';

type CreateApplication = () => RequestListener | Promise<RequestListener>;

/** A listener with an API and pages for browsers. */
export interface ApiServer {
  readonly server: Server;
  /** Passed to the application. */
  readonly listener: ApiListenerOptions;
  /**
   * Sets the application that serves all further requests. Call this before the server listens.
   *
   * Reading the document of an application takes a while and should not delay a start or reload. So the application is
   * created when the next request arrives, and requests wait for it. If it cannot be created, they get 500.
   */
  use(createApplication: CreateApplication): void;
  /** See `drainServer`. */
  drain(deadlineMs: number, idleMs?: number): Promise<void>;
}

/**
 * Most proxies keep an idle connection for 60 s. The server keeps it longer, so that no proxy sends a request on a
 * connection that the server is closing.
 */
const KEEP_ALIVE_MS = 75_000;
/** The same as the defaults of the public listener: `edge` in the configuration. */
const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, writeMs: 30_000 };
/** Interval between two checks for slow clients. */
const CHECK_INTERVAL_MS = 1000;

/** Listener parts that the server passes to its application. */
export interface ApiListenerOptions {
  readonly addressLimiter: AddressLimiter;
  /** The listener's URL. It is known only once the server listens. */
  readonly listensAt: () => URL;
}

/** Options of the server itself. */
interface ApiServerOptions {
  /** The section of the configuration, for the log. */
  readonly section: 'admin' | 'portal';
  readonly limits: ConnectionLimits;
  /** Whether this address belongs to a trusted proxy. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The certificate of a server with TLS. If it is undefined or null, the server has no TLS. */
  readonly certificate?: Certificate | null;
  /**
   * How long a client may take to send its headers and its whole request, and how long it may stop reading the
   * response.
   */
  readonly timeouts?: typeof TIMEOUTS;
}

export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock, logger, certificate = null, timeouts = TIMEOUTS } = options;
  const addressLimiter = new AddressLimiter(FAILED_ATTEMPTS, clock);
  const application = new LazyApplication(logger);
  const { listener } = application;
  const server = createHttpServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      // `checkFraming` refuses a missing Host, with the same body as any refusal.
      requireHostHeader: false,
    },
    certificate,
    listener,
  );
  // The client may still be sending data when the server closes a connection. Closing it at once could lose the
  // response.
  server.on(findConnectionEvent(server), lingerAtEnd);
  // Each connection uses a file descriptor, and the public listener needs those of the same process.
  limitConnections(server, options);
  // Without this listener, Node would respond to `Expect` by itself, before authentication.
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
  #application: RequestListener | null = null;
  #pendingApplication: Promise<RequestListener> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Replaces the application. Requests that already wait for the previous application are still served by it. */
  use(create: CreateApplication): void {
    this.#create = create;
    this.#application = null;
    this.#pendingApplication = null;
  }

  readonly listener: RequestListener = (req, res) => {
    if (this.#application !== null) return this.#application(req, res);
    this.#pendingApplication ??= this.#start(this.#create);
    void this.#pendingApplication.then((application) => application(req, res));
  };

  /** Never rejects. After a failure, the next request tries again. */
  async #start(create: CreateApplication): Promise<RequestListener> {
    // A failure resets `#creating`, so it must not happen before `#creating` is set.
    await nextTurn();
    try {
      const application = await create();
      // The first request to the application takes long too, so other work gets a turn before it.
      await nextTurn();
      if (create === this.#create) this.#application = application;
      return application;
    } catch (error) {
      if (create === this.#create) this.#pendingApplication = null;
      return createFailingApplication(error, this.#logger);
    }
  }
}

/** Creates an application that answers every request with this error. A listener that threw it would end the process. */
function createFailingApplication(error: unknown, logger: Logger): RequestListener {
  const fail = () => {
    throw error;
  };
  return createApp([fail], { response: 'response', failure: 'cannot create the API' }, logger);
}

/**
 * Answers a request that Node's parser refuses. If an earlier request on the connection is still running, closes the
 * connection instead.
 */
function refuseUnparsed(server: Server, connections: Connections, refuseRaw: RefuseRaw): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    const isClosed = error.code === 'ECONNRESET' || !socket.writable || connection === undefined;
    if (isClosed || connection.isBusy) socket.destroy();
    else refuseRaw(socket, toClientErrorCode(error), { parser: error.code });
  });
}

/** Adds a path to a URL that may have a path itself. */
export function joinUrl(base: URL, path: string): string {
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${path}`;
}
