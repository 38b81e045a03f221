import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { disableWriting } from './response.ts';

/** After the gateway ends a stream, the client has this long to read the rest. */
const CLOSE_GRACE_MS = 500;

/** A `text/event-stream` response. It lasts until its service ends it, or the gateway closes it. */
export class EventStream {
  readonly socket: Socket;
  readonly #res: ServerResponse;

  constructor(res: ServerResponse) {
    this.#res = res;
    this.socket = res.req.socket;
  }

  /**
   * Ends the stream on behalf of the gateway. The stream itself cannot carry a reason. A client that reconnects is
   * refused, and that refusal gives the reason.
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
    disableWriting(res);
  }
}
