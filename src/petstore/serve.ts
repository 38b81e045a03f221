import { readFile } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { logAccess } from './access-log.ts';
import { createApp } from './app.ts';
import type { Durability } from './store/database.ts';
import { createDrain, type DrainTimes } from './drain.ts';
import { PetStoreStartError } from './http/errors.ts';
import type { Logger } from './http/operation.ts';
import upstream from './upstream.ts';

export interface ServeOptions {
  /** The port; 0 picks a free port. */
  port: number;
  host: string;
  /** `openapiPath` and `database` are files, relative to the working directory. */
  openapiPath: string;
  database: string;
  demo: boolean;
  durability?: Durability;
  logger: Logger;
  drain?: Partial<DrainTimes>;
}

export interface RunningPetStore {
  url: string;
  /** Lets running requests finish. Calling this again returns the same promise. */
  close: () => Promise<void>;
}

/** Serves the pet store over HTTP. Throws PetStoreStartError if it cannot start. */
export async function servePetstore(options: ServeOptions): Promise<RunningPetStore> {
  const { port, host, database, demo, durability = 'normal', logger } = options;
  const file = resolve(database);
  const openapi = await readDocument(options.openapiPath);
  const context = { dataDir: dirname(file), openapi, demo, logger };
  const store = await upstream.create({ database: file, durability }, context);
  const app = createApp(store.handler);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1000 });
  // The gateway and most load balancers close an idle connection before this time, so that the server never has to.
  server.keepAliveTimeout = 75_000;
  const drain = createDrain(server, { quietMs: 1000, deadlineMs: 10_000, ...options.drain });
  server.on('request', (req, res) => {
    logAccess(req, res, logger);
    drain.track(res);
    if (req.url === '/healthz') sendHealth(req, res);
    else app(req, res);
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    await store.close();
    throw new PetStoreStartError(`Cannot listen on ${host} port ${port}: ${String(error)}`);
  }
  const url = formatUrl(server);
  logger.info({ url }, 'listening');
  let closed: Promise<void> | undefined;
  return { url, close: () => (closed ??= drain.close().finally(() => store.close())) };
}

const sendHealth: RequestListener = (_req, res) => {
  const body = '{"status":"ok"}';
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
};

async function readDocument(path: string): Promise<object> {
  try {
    const document: unknown = parse(await readFile(path, 'utf8'));
    if (typeof document === 'object' && document !== null) return document;
  } catch (error) {
    throw new PetStoreStartError(`${path} cannot be read as an OpenAPI document: ${String(error).split('\n', 1)[0]}`);
  }
  throw new PetStoreStartError(`${path} is not an OpenAPI document`);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolvePromise, rejectPromise) => {
    server.once('error', rejectPromise).listen(port, host, () => {
      server.off('error', rejectPromise);
      resolvePromise();
    });
  });
}

/** The URL of a server that listens on TCP. */
export function formatUrl(server: Server): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not a pipe, so it has such an address
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
