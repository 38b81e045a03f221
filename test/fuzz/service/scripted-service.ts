import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, ServiceResponse } from './service-scripts.ts';

/** The response to requests that have no script. */
const DEFAULT_EXCHANGE: Omit<Exchange, 'asks' | 'followed'> = {
  answer: {
    interims: [],
    status: '200 OK',
    headers: [],
    framing: 'length',
    bodyBytes: 20,
    trailers: [],
    surplus: '',
    early: false,
    cuts: [],
    stopAt: null,
    afterwards: 'keep',
  },
};

/** A service that responds with the bytes of a script. */
export class ScriptedService {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #stalled = new Set<Socket>();
  /** The scripts, by the token of the request. */
  readonly exchanges = new Map<string, Exchange>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      this.#serve(socket).catch(() => socket.destroy());
    });
  }

  static async start(): Promise<ScriptedService> {
    const service = new ScriptedService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** Closes stalled connections, because later requests on them would get no response. */
  closeStalled(): void {
    for (const socket of this.#stalled) socket.destroy();
    this.#stalled.clear();
  }

  async #serve(socket: Socket): Promise<void> {
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      text += String(chunk);
      for (;;) {
        const head = /^[^]*?\r\n\r\n/.exec(text)?.[0];
        if (head === undefined) break;
        const token = /^\w+ \/raw\/(\S+)/.exec(head)?.[1] ?? '';
        const method = head.slice(0, head.indexOf(' '));
        const { answer: response } = this.exchanges.get(token) ?? DEFAULT_EXCHANGE;
        const bodyEnd = endOfBody(head, text);
        if (bodyEnd === -1 && !response.early) break;
        // Respond only once. If the response was early, the rest of the body is no request, and ends the connection.
        this.exchanges.delete(token);
        text = bodyEnd === -1 ? '' : text.slice(bodyEnd);
        if (response.afterwards === 'stall') this.#stalled.add(socket);
        if (!(await play(socket, response, token, method, head)) || bodyEnd === -1) return;
      }
    }
    socket.end();
  }
}

/** Finds the end of the request in the text. Returns -1 if the request is incomplete. */
function endOfBody(head: string, text: string): number {
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (/^transfer-encoding/im.test(head)) {
    const end = text.indexOf('0\r\n\r\n', head.length);
    return end === -1 ? -1 : end + 5;
  }
  return text.length < head.length + length ? -1 : head.length + length;
}

/** @returns true if the connection is kept */
async function play(
  socket: Socket,
  response: ServiceResponse,
  token: string,
  method: string,
  head: string,
): Promise<boolean> {
  const all = Buffer.from(formatBytes(response, token, method, head), 'latin1');
  const bytes = response.stopAt === null ? all : all.subarray(0, Math.floor((response.stopAt / 1000) * all.length));
  let from = 0;
  // Data after the response is sent in the same packet, because in a separate one, it could not be told from the
  // response to the next request.
  const cuts = response.surplus === '' ? response.cuts : [];
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    const to = Math.floor((cut / 1000) * bytes.length);
    if (to <= from) continue;
    if (socket.writable) socket.write(bytes.subarray(from, to));
    from = to;
    await sleep(1);
  }
  if (socket.writable) socket.write(bytes.subarray(from));
  if (response.afterwards === 'end') socket.end();
  if (response.afterwards === 'reset') socket.resetAndDestroy();
  // A stall ends when the gateway or the script closes the connection.
  if (response.afterwards === 'stall') await new Promise((resolve) => socket.resume().once('close', resolve));
  return response.afterwards === 'keep' && response.framing !== 'close';
}

export function createBody(token: string, { bodyBytes }: ServiceResponse): string {
  return `${token}:`.padEnd(bodyBytes, '.').slice(0, bodyBytes);
}

function formatBytes(response: ServiceResponse, token: string, method: string, head: string): string {
  const { interims, status, headers, framing, trailers, surplus } = response;
  const lines = [`HTTP/1.1 ${status}`, `X-Token: ${token}`, ...headers];
  const isBodiless = method === 'HEAD' || /^(?:1\d\d|204|304)/.test(status);
  const body = createBody(token, response);
  if (/^upgrade: websocket/im.test(head) && status.startsWith('101'))
    lines.push('Connection: Upgrade', 'Upgrade: websocket');
  if (framing === 'chunked' || framing === 'broken chunks' || framing === 'both')
    lines.push('Transfer-Encoding: chunked');
  if (framing === 'length' || framing === 'both') lines.push(`Content-Length: ${body.length}`);
  if (framing === 'long') lines.push(`Content-Length: ${Math.max(0, body.length - 5)}`);
  if (framing === 'short') lines.push(`Content-Length: ${body.length + 5}`);
  const start = `${interims.join('')}${lines.join('\r\n')}\r\n\r\n`.replaceAll(/\{(\d+)\}/g, (_, count) =>
    'x'.repeat(Number(count)),
  );
  if (isBodiless) return start + surplus;
  if (framing === 'chunked') return start + chunked(body, trailers) + surplus;
  return start + (framing === 'broken chunks' ? `zz\r\n${body}` : body) + surplus;
}

function chunked(body: string, trailers: readonly string[]): string {
  const middle = Math.floor(body.length / 2);
  const chunks = [body.slice(0, middle), body.slice(middle)].filter((chunk) => chunk !== '');
  const text = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return `${text}0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`;
}
