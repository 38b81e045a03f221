import type { ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../../base/error-types.ts';
import type { ModuleContext, ModuleInstance, UpstreamModule } from './module-types.ts';
import { applyRequest } from './apply-request.ts';
import { catchUncaughtErrors } from '../../../process/uncaught-errors.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { Upstream } from '../upstream.ts';

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
    certificate: null,
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
