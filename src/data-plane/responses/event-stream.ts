import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { disarm } from './response.ts';

/** How long a client may take to read the rest of a stream that was ended. */
const CLOSE_GRACE_MS = 1000;

/** A `text/event-stream` response. Its service decides how long it lasts. */
export class EventStream {
  readonly socket: Socket;
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
    this.socket = res.req.socket;
  }

  /**
   * Ends the stream on behalf of the gateway. The stream cannot give a reason, but a client that reconnects is refused
   * with the reason.
   */
  close(): void {
    const res = this.#res;
    if (res.writableEnded) return;
    // A body that is not chunked is framed by its length or by the end of the connection. Only closing the connection
    // can end it early.
    if (!res.chunkedEncoding) return void res.destroy();
    const timer = setTimeout(() => res.destroy(), CLOSE_GRACE_MS);
    res.once('close', () => clearTimeout(timer));
    res.end();
    disarm(res);
  }
}
