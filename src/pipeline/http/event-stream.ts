import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { disarm } from './disarm.ts';

/** How long a client has to take the rest of a stream that was ended, in ms. */
const FAREWELL_MS = 1000;
const CONTENT_TYPE = 'content-type';

/** @param headers flat `name, value` pairs, as `writeHead` takes them */
export function isEventStream(headers: readonly unknown[]): boolean {
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Most headers are told apart by their length alone.
    if (name.length !== CONTENT_TYPE.length || name.toLowerCase() !== CONTENT_TYPE) continue;
    return /^\s*text\/event-stream\s*(?:;|$)/i.test(String(headers[index + 1]));
  }
  return false;
}

/** An answer of `text/event-stream`, which goes on for as long as its service likes. */
export class EventStream {
  readonly socket: Socket;
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
    this.socket = res.req.socket;
  }

  /** Ends it in its upstream's place. A client that connects again is told why it may not. */
  close(): void {
    const res = this.#res;
    if (res.writableEnded) return;
    // By its length or by the connection's end: nothing but a closed connection tells that this is all.
    if (!res.chunkedEncoding) return void res.destroy();
    const timer = setTimeout(() => res.destroy(), FAREWELL_MS);
    res.once('close', () => clearTimeout(timer));
    res.end();
    disarm(res);
  }
}
