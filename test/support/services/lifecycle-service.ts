import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Runs a function outside of the request's context, as work in the background that belongs to no request. */
const inBackground = AsyncLocalStorage.snapshot();

/** An upstream module. The request determines when and how it responds. */
export default {
  create(options: { readonly closes?: boolean }) {
    return {
      close: () => (options.closes === false ? new Promise<void>(() => {}) : undefined),
      handler(req: IncomingMessage, res: ServerResponse) {
        const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
        const ms = Number(searchParams.get('ms') ?? 0);
        responders[pathname.slice(1)]?.(res, ms);
      },
    };
  },
};

const responders: Record<string, (res: ServerResponse, ms: number) => void> = {
  now: (res) => res.end('now'),
  slow: (res, ms) => setTimeout(() => res.end('slow'), ms),
  stream(res, ms) {
    res.write('head');
    setTimeout(() => res.end(' tail'), ms);
  },
  never() {},
  throw(res, ms) {
    res.end('thrown');
    inBackground(() =>
      setTimeout(() => {
        throw new Error('uncaught exception in the service');
      }, ms),
    );
  },
  reject(res, ms) {
    res.end('rejected');
    inBackground(() => setTimeout(() => void Promise.reject(new Error('unhandled rejection in the service')), ms));
  },
};
