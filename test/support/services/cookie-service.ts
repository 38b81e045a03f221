import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { computeAccept, echoFrames } from '../websocket.ts';

/**
 * Cookies that a service may set (`OTHERS`), and cookies of the console and the portal, which must not reach a browser.
 */
export const OTHERS = ['theme=dark; Path=/', 'tollgate=1', 'my-tollgate-portal=2', 'x=tollgate-portal=3'];
const SESSION = 'x'.repeat(43);
const NAMES = ['tollgate-console', 'tollgate-portal', 'tollgate-console-oidc', 'tollgate-portal-oidc'];
const PREFIXES = ['', '__Host-', '__Secure-', '__host-'];
const OWN = [
  ...PREFIXES.flatMap((prefix) => NAMES.map((name) => `${prefix}${name}=${SESSION}; Path=/; Secure`)),
  ...spellings('tollgate-portal'),
  ...spellings('__Host-tollgate-portal'),
];

/**
 * Lists spellings that browsers read as the same name. Browsers strip white space (RFC 6265bis, 5.6), and send a cookie
 * without a name as its value alone.
 */
function spellings(name: string): string[] {
  const names = [`${name}\t`, `${name} `, ` \t${name}`, `\u00a0${name}`, `=${name}`, ` = ${name}`];
  names.push(name.toUpperCase(), name.replace('tollgate', 'Tollgate'));
  return [...names.map((one) => `${one}=${SESSION}; Path=/`), name, `${name};Path=/`, `=${name}`];
}

const ALL = [...OWN.slice(0, 5), ...OTHERS.slice(0, 2), ...OWN.slice(5), ...OTHERS.slice(2)];

/** The body is a buffer, because with a string, Node would write the head as UTF-8, which changes the cookies. */
const BODY = Buffer.from('ok');

/** Ways to write the head of a response. The last segment of the path selects one. */
const ways: Record<string, (res: ServerResponse) => unknown> = {
  setHeader: (res) => res.setHeader('Set-Cookie', ALL).end(BODY),
  'setHeader, one': (res) => res.setHeader('SET-COOKIE', OWN[0]!).end(BODY),
  setHeaders: (res) => res.setHeaders(new Map([['set-cookie', ALL]])).end(BODY),
  appendHeader(res) {
    for (const cookie of ALL) res.appendHeader('set-cookie', cookie);
    res.end(BODY);
  },
  'writeHead, object': (res) => res.writeHead(200, { 'Set-Cookie': ALL }).end(BODY),
  'writeHead, pairs': (res) =>
    res
      .writeHead(
        200,
        ALL.map((cookie): [string, string] => ['Set-Cookie', cookie]),
      )
      .end(BODY),
  'writeHead, flat': (res) =>
    res
      .writeHead(
        200,
        ALL.flatMap((cookie) => ['set-cookie', cookie]),
      )
      .end(BODY),
  'writeHead, flat, list': (res) => res.writeHead(200, 'Fine', ['set-cookie', ALL]).end(BODY),
  'late, first write'(res) {
    res.setHeader('Set-Cookie', OTHERS);
    setImmediate(() => {
      res.setHeader('Set-Cookie', ALL);
      res.write('o');
      res.end('k');
    });
  },
  flushHeaders(res) {
    // Node writes this head as UTF-8, so send only ASCII cookies.
    const ascii = ALL.filter((cookie) => !cookie.includes('\u00a0'));
    res.setHeader('Set-Cookie', ascii);
    res.flushHeaders();
    res.end(BODY);
  },
  trailers(res) {
    res.writeHead(200, { 'Set-Cookie': ALL, Trailer: 'X-Sum' });
    res.addTrailers(ALL.map((cookie): [string, string] => ['Set-Cookie', cookie]));
    res.end(BODY);
  },
  hints(res) {
    res.writeEarlyHints({ link: '</a>; rel=preload', 'set-cookie': ALL, 'x-request-id': 'forged' });
    res.writeInformation?.(103, ['Link', '</b>; rel=preload', 'Set-Cookie', OWN[0]!]);
    res.writeHead(200, { 'Set-Cookie': ALL }).end(BODY);
  },
};
export const WAYS = Object.keys(ways);

/** Heads of an upgrade response that browsers can interpret in more than one way. */
const tricks: Record<string, string> = {
  plain: ALL.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join(''),
  folded: `${OTHERS.map((cookie) => `Set-Cookie:\r\n ${cookie}\r\n`).join('')}Set-Cookie:\r\n\t${OWN[0]}\r\n`,
  'space before the colon': `${OTHERS.map((one) => `Set-Cookie : ${one}\r\n`).join('')}Set-Cookie\t: ${OWN[0]}\r\n`,
  'line feeds': `${OTHERS.map((one) => `Set-Cookie: ${one}\n`).join('')}X-A: b\nSet-Cookie: ${OWN[0]}\r\n`,
  'carriage returns': `${OTHERS.map((one) => `Set-Cookie: ${one}\r`).join('')}X-A: b\rSet-Cookie: ${OWN[0]}\r\n`,
  // Truncated to one byte, these characters would become CR and LF.
  'wide characters': `${OTHERS.map((one) => `Set-Cookie: ${one}\r\n`).join('')}X-A: b\u010d\u010aSet-Cookie: tollgate-portal=y\r\n`,
};
export const TRICKS = Object.keys(tricks);

const parseTrick = ({ url = '' }: IncomingMessage) => decodeURIComponent(url.split('/').at(-1) ?? '');

/** A service that sets cookies, including those of the console and portal. */
export function createService() {
  return {
    handler: (req: IncomingMessage, res: ServerResponse) => void ways[parseTrick(req)]?.(res),
    upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      const way = parseTrick(req);
      const cookies = tricks[way] ?? tricks['plain'];
      if (way === 'refused') {
        socket.resume().end(`HTTP/1.1 418 No Tea\r\nContent-Length: 2\r\n${cookies}\r\nok`, 'latin1');
        return;
      }
      if (way === 'interim') socket.write(`HTTP/1.1 103 Early Hints\r\n${cookies}\r\n`, 'latin1');
      const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      socket.write(
        `${lines.join('\r\n')}\r\n${cookies}Sec-WebSocket-Accept: ${computeAccept(req)}\r\n\r\n`,
        way === 'wide characters' ? 'utf8' : 'latin1',
      );
      echoFrames(socket, head);
    },
    close: () => Promise.resolve(),
  };
}

export default { create: createService };
