import { connect, type Socket } from 'node:net';

interface RawResponse {
  readonly status: number;
  /** The unparsed head of the response. */
  readonly head: string;
  readonly body: string;
}

/** A connection for sending raw bytes. */
export class RawConnection {
  readonly socket: Socket;
  #text = '';
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk) => {
      this.#text += String(chunk);
      this.#wake();
    });
    // A reset is like any other end of the connection for these tests.
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
    this.socket.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  send(bytes: string): this {
    this.socket.write(bytes, 'latin1');
    return this;
  }

  get received(): string {
    return this.#text;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Waits until the received text matches or the connection ends. */
  async until(what: RegExp): Promise<string> {
    while (!what.test(this.#text) && !this.#ended) await this.#more();
    return this.#text;
  }

  /** Waits until the peer has closed the connection. Returns everything that was received and not yet read. */
  async closed(): Promise<string> {
    while (!this.#ended) await this.#more();
    return this.#text;
  }

  /** Reads the next response, and removes it from the received text. The response must have a length or be chunked. */
  async readResponse(): Promise<RawResponse> {
    await this.until(/\r\n\r\n/);
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd === -1) throw new Error(`no response, but ${JSON.stringify(this.#text)}`);
    const head = this.#text.slice(0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const chunked = /^transfer-encoding: *chunked/im.test(head);
    let rest = this.#text.slice(headEnd + 4);
    while (!this.#ended && (chunked ? !/(^|\r\n)0\r\n(.*\r\n)*\r\n$/.test(rest) : rest.length < length)) {
      await this.#more();
      rest = this.#text.slice(headEnd + 4);
    }
    this.#text = chunked ? '' : rest.slice(length);
    return { status: Number(head.slice(9, 12)), head, body: chunked ? rest : rest.slice(0, length) };
  }

  close(): void {
    this.socket.destroy();
  }

  async #more(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

/** Sends bytes over a new connection. Returns everything that is received until the peer closes the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const connection = new RawConnection(url);
  try {
    return await connection.send(bytes).closed();
  } finally {
    connection.close();
  }
}
