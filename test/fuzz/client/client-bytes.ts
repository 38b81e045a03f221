import { generateSecret } from '../../../src/base/key-format.ts';
import type { Element, Handshake, Request } from './client-scripts.ts';
import type { Key } from '../subject/subject.ts';

/** A request of a connection, of which it is known that the gateway reads it as one. */
export interface Sent {
  readonly token: string;
  readonly method: string;
  readonly element: Element;
}

export interface Rendered {
  readonly text: string;
  /** In their order. */
  readonly sent: readonly Sent[];
  /** Whether all bytes are whole requests: else, answers beyond those of `sent` may come, and connections be cut. */
  readonly certain: boolean;
}

export interface Secrets {
  readonly own: Key;
  readonly tiny: Key;
}

const FRAME = '\x81\x84\0\0\0\0ping';
const JUNK = 'tg_live_not-a-key';

/** The bytes of all elements. */
export function render(elements: readonly Element[], prefix: string, secrets: Secrets): Rendered {
  const sent: Sent[] = [];
  let text = '';
  let certain = true;
  for (const element of elements) {
    for (let count = element.is === 'request' ? element.times : 1; count > 0; count--) {
      const token = `${prefix}-${sent.length}`;
      const method = methodOf(element, certain);
      text += bytesOf(element, method, token, secrets);
      if (certain && element.is !== 'raw') sent.push({ token, method, element });
      certain &&= isWhole(element);
    }
  }
  return { text, sent, certain };
}

/** HEAD only where its answer is known to be that: any other is read as one with a body. */
function methodOf(element: Element, certain: boolean): string {
  if (element.is === 'connect') return 'CONNECT';
  if (element.is !== 'request') return 'GET';
  return element.method === 'HEAD' && !(certain && isWhole(element)) ? 'GET' : element.method;
}

/** Whether what is behind it is read as the next request. */
function isWhole(element: Element): boolean {
  // Behind another request a handshake may be answered as a request; then its frames are none.
  if (element.is === 'handshake') return element.frames === 0;
  if (element.is !== 'request') return element.is === 'connect';
  const { method, body, extra, version } = element;
  // No method that Node's parser knows.
  if (method === 'BREW') return false;
  if (body?.framing === 'short' || (version === '1.0' && body?.framing === 'chunked')) return false;
  return !extra.includes('Transfer-Encoding: CHUNKED');
}

function bytesOf(element: Element, method: string, token: string, secrets: Secrets): string {
  if (element.is === 'raw') {
    const [before, middle, times, after] = element.bytes;
    return before + middle.repeat(times) + after;
  }
  if (element.is === 'connect') return `CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\nX-Request-Id: ${token}\r\n\r\n`;
  return element.is === 'handshake' ? handshake(element, token, secrets) : request(element, method, token, secrets);
}

function handshake({ over, key, frames }: Handshake, token: string, secrets: Secrets): string {
  const lines = [`GET /${over}/echo/${token} HTTP/1.1`, 'Host: x', `X-Request-Id: ${token}`, ...keyLines(key, secrets)];
  lines.push('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13');
  lines.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
  return `${lines.join('\r\n')}\r\n\r\n${FRAME.repeat(frames)}`;
}

function request(element: Request, method: string, token: string, secrets: Secrets): string {
  const { over, path, key, body, version, extra, form } = element;
  const target = `${form === 'absolute' ? 'http://x' : ''}/${over}/${path}/${token}`;
  const lines = [`${method} ${target} HTTP/${version}`, 'Host: x', `X-Request-Id: ${token}`, ...keyLines(key, secrets)];
  lines.push(...extra);
  if (body === null) return `${lines.join('\r\n')}\r\n\r\n`;
  const content = 'b'.repeat(body.bytes);
  if (body.framing === 'chunked') {
    lines.push('Transfer-Encoding: chunked');
    const chunk = content === '' ? '' : `${content.length.toString(16)}\r\n${content}\r\n`;
    return `${lines.join('\r\n')}\r\n\r\n${chunk}0\r\n\r\n`;
  }
  lines.push(`Content-Length: ${body.framing === 'short' ? content.length + 10 : content.length}`);
  return `${lines.join('\r\n')}\r\n\r\n${content}`;
}

function keyLines(key: Request['key'], { own, tiny }: Secrets): string[] {
  if (key === 'none') return [];
  const secret = { own: own.secret, tiny: tiny.secret, junk: JUNK, unknown: generateSecret() }[key];
  return [`X-API-Key: ${secret}`];
}
