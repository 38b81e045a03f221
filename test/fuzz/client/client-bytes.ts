import { generateSecret } from '../../../src/domain/key-format.ts';
import type { Element, Handshake, Request } from './client-scripts.ts';
import type { Key } from '../subject/subject.ts';

/** A request that the gateway is certain to parse as one request. */
export interface Sent {
  readonly token: string;
  readonly method: string;
  readonly element: Element;
}

interface Rendered {
  readonly text: string;
  /** The requests, in the order in which they were sent. */
  readonly sent: readonly Sent[];
  /**
   * True if all bytes form whole requests. If false, there may be more responses than `sent`, and connections may be
   * closed.
   */
  readonly certain: boolean;
}

interface Secrets {
  readonly own: Key;
  readonly tiny: Key;
}

const FRAME = '\x81\x84\0\0\0\0ping';
const JUNK = 'tg_live_not-a-key';

/** Converts the elements to bytes. */
export function render(elements: readonly Element[], prefix: string, secrets: Secrets): Rendered {
  const sent: Sent[] = [];
  let text = '';
  let certain = true;
  for (const element of elements) {
    for (let count = element.is === 'request' ? element.times : 1; count > 0; count--) {
      const token = `${prefix}-${sent.length}`;
      const method = findMethod(element, certain);
      text += formatBytes(element, method, token, secrets);
      if (certain && element.is !== 'raw') sent.push({ token, method, element });
      certain &&= isWhole(element);
    }
  }
  return { text, sent, certain };
}

/**
 * Finds the method of a request. It is HEAD only if the response is certain to belong to it, because the parser expects
 * a body after any other method.
 */
function findMethod(element: Element, certain: boolean): string {
  if (element.is === 'connect') return 'CONNECT';
  if (element.is !== 'request') return 'GET';
  return element.method === 'HEAD' && !(certain && isWhole(element)) ? 'GET' : element.method;
}

/** True if the bytes after the element are parsed as the next request. */
function isWhole(element: Element): boolean {
  // If a handshake follows another request, it may be treated as an ordinary request, and its frames as something else.
  if (element.is === 'handshake') return element.frames === 0;
  if (element.is !== 'request') return element.is === 'connect';
  const { method, body, extra, version } = element;
  // Node's parser does not know this method.
  if (method === 'BREW') return false;
  if (body?.framing === 'short' || (version === '1.0' && body?.framing === 'chunked')) return false;
  return !extra.includes('Transfer-Encoding: CHUNKED');
}

function formatBytes(element: Element, method: string, token: string, secrets: Secrets): string {
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
  // The body is a text in JSON, unless it has only one byte.
  const content = body.bytes < 2 ? 'b'.repeat(body.bytes) : `"${'b'.repeat(body.bytes - 2)}"`;
  if (body.framing === 'chunked') {
    lines.push('Transfer-Encoding: chunked');
    const chunk = content === '' ? '' : `${content.length.toString(16)}\r\n${content}\r\n`;
    return `${lines.join('\r\n')}\r\n\r\n${chunk}0\r\n\r\n`;
  }
  lines.push(`Content-Length: ${body.framing === 'short' ? content.length + 10 : content.length}`);
  return `${lines.join('\r\n')}\r\n\r\n${content}`;
}

function keyLines(key: Request['key'] | Handshake['key'], { own, tiny }: Secrets): string[] {
  if (key === 'none') return [];
  if (key === 'offered') return [`Sec-WebSocket-Protocol: tollgate, tollgate.key.${own.secret}, a`];
  const secret = { own: own.secret, tiny: tiny.secret, junk: JUNK, unknown: generateSecret() }[key];
  return [`X-API-Key: ${secret}`];
}
