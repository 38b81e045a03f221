import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { StartError } from '../../../base/error-types.ts';
import type { Publisher } from './publisher.ts';
import { applyRequest } from './apply-request.ts';
import { catchUncaughtErrors } from '../../../process/uncaught-errors.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { Upstream } from '../upstream.ts';

/** Dependencies of a module, in addition to its options. */
export interface ModuleContext {
  /** Directory for its files, as an absolute path. */
  readonly dataDir: string;
  /** Its OpenAPI document, parsed. */
  readonly openapi: object;
  /** Whether to fill an empty store with sample data. */
  readonly demo: boolean;
  readonly logger: Logger;
  /**
   * Publishes an event of a type that the document declares under `webhooks`. Resolves when the event is stored. If the
   * event has an `id`, publishing can be repeated until it succeeds, because repeats are ignored. Rejects with
   * `EventRefused` if the event does not match the document, with `StoreUnavailable` while the database is unavailable,
   * and with an error after `close()`.
   */
  readonly publish: Publisher['publish'];
  /** Publishes up to 500 events in one transaction: all of them, or none. */
  readonly publishAll: Publisher['publishAll'];
}

/** The default export of an upstream module. */
interface UpstreamModule {
  create(options: Record<string, unknown>, context: ModuleContext): Promise<ModuleInstance> | ModuleInstance;
}

interface ModuleInstance {
  /** Any request listener for Node or Express. */
  handler(req: IncomingMessage, res: ServerResponse): unknown;
  /** Any listener for Node's `upgrade` event. */
  upgrade?(req: IncomingMessage, socket: Duplex, head: Buffer): unknown;
  close?(): Promise<void> | void;
}

/** @throws StartError if the module cannot be loaded or does not start */
export async function loadInProcess(
  name: string,
  module: string,
  options: Record<string, unknown>,
  context: ModuleContext,
): Promise<Upstream> {
  let loaded: { default?: Partial<UpstreamModule> };
  try {
    loaded = (await import(pathToFileURL(module).href)) as typeof loaded;
  } catch (error) {
    throw new StartError(`upstream ${name}: module ${module} cannot be loaded (${String(error)})`);
  }
  if (typeof loaded.default?.create !== 'function') {
    throw new StartError(`upstream ${name}: module ${module} must export default { create(options, context) }`);
  }
  let instance: ModuleInstance;
  try {
    instance = await loaded.default.create(options, context);
  } catch (error) {
    throw new StartError(`upstream ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof instance?.handler !== 'function') {
    throw new StartError(`upstream ${name}: create() of module ${module} must return { handler(req, res), close() }`);
  }
  return {
    name,
    // An error that the handler throws or rejects with fails only this request, even if it is thrown in a callback.
    handle(request, res) {
      const callHandler = () => toPromise(instance.handler(applyRequest(request), res));
      const handling = catchUncaughtErrors((error) => res.emit('error', error), callHandler);
      return request.timeoutMs === null ? handling : rejectAfter(name, request.timeoutMs, res, handling);
    },
    upgrade: instance.upgrade
      ? (request, { socket, head }) => {
          const fail = (error: unknown) => {
            context.logger.error({ err: error }, 'an upgraded connection failed');
            socket.destroy();
          };
          return catchUncaughtErrors(fail, () => toPromise(instance.upgrade?.(applyRequest(request), socket, head)));
        }
      : null,
    targets: null,
    connections: null,
    async close() {
      await instance.close?.();
    },
  };
}

/** Converts the return value of a handler, which may be anything. Only a thenable means that it is still running. */
function toPromise(returned: unknown): Promise<void> | undefined {
  const thenable = returned as PromiseLike<void> | null | undefined;
  return typeof thenable?.then === 'function' ? Promise.resolve(thenable) : undefined;
}

/** Rejects if no part of a response was sent in time. Anything that the service sends later is discarded. */
function rejectAfter(name: string, timeoutMs: number, res: ServerResponse, handling?: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (!res.headersSent) reject(new UpstreamError('upstream_timeout', name));
    }, timeoutMs);
    res.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    handling?.catch(reject);
  });
}
