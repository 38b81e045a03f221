import type * as Http from 'node:http';
import { createRequire } from 'node:module';

/**
 * The module `node:http`. An import of it would read all of its exports, and one of them (`WebSocket`) loads Node's own
 * `fetch`, which the gateway does not use: 30 ms of every start.
 */
export const http = createRequire(import.meta.url)('node:http') as typeof Http;
