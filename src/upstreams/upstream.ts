import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from './openapi.ts';

/** A service behind the gateway, in this process or elsewhere. */
export interface Upstream {
  readonly name: string;
  /**
   * Answers the request. `req` already carries what the upstream may see, and nothing else; `res` protects the headers
   * that are the gateway's. Rejects only with an `UpstreamError`, and only if nothing of a response was sent.
   */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void> | void;
  close(): Promise<void>;
}

/** Where requests of an operation go. */
export interface Route {
  readonly operation: Operation;
  readonly upstream: Upstream;
}
