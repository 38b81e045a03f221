import * as fc from 'fast-check';
import { deliveries, type Delivery } from '../wire.ts';

/** One thing that a client sends. */
export type Element = Request | Handshake | { readonly is: 'connect' } | Raw;

/** Raw bytes, whose middle is repeated. */
interface Raw {
  readonly is: 'raw';
  readonly bytes: readonly [before: string, middle: string, times: number, after: string];
}

export interface Request {
  readonly is: 'request';
  readonly method: string;
  readonly over: 'module' | 'http';
  readonly path: 'echo' | 'slow' | 'early' | 'large' | 'public' | 'missing';
  readonly key: 'own' | 'none' | 'junk' | 'unknown' | 'tiny';
  /** `short` sends fewer bytes than Content-Length announces. */
  readonly body: { readonly bytes: number; readonly framing: 'length' | 'chunked' | 'short' } | null;
  readonly version: '1.1' | '1.0';
  /** Further header lines. */
  readonly extra: readonly string[];
  readonly form: 'origin' | 'absolute';
  /** The number of times that the request is sent in a row. */
  readonly times: number;
}

export interface Handshake {
  readonly is: 'handshake';
  readonly over: 'module' | 'http';
  /** `own` sends the key in a header, and `offered` offers it as a subprotocol. */
  readonly key: 'own' | 'offered' | 'none';
  /** The number of frames that are sent with the handshake. */
  readonly frames: number;
}

export interface ClientScript {
  readonly elements: readonly Element[];
  readonly delivery: Delivery;
}

const over = fc.constantFrom('module' as const, 'http' as const);

const request: fc.Arbitrary<Request> = fc.record({
  is: fc.constant('request' as const),
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'BREW'),
  over,
  path: fc.constantFrom('echo', 'echo', 'slow', 'slow', 'early', 'large', 'public', 'missing'),
  key: fc.constantFrom('own', 'own', 'own', 'own', 'none', 'junk', 'unknown', 'tiny'),
  body: fc.option(
    fc.record({
      bytes: fc.constantFrom(0, 1, 100, 20_000, 255_000, 300_000),
      framing: fc.constantFrom('length', 'length', 'chunked', 'chunked', 'short'),
    }),
    { freq: 2 },
  ),
  version: fc.constantFrom('1.1', '1.1', '1.1', '1.1', '1.1', '1.1', '1.0'),
  extra: fc.array(
    fc.constantFrom(
      'Connection: close',
      'Connection: keep-alive',
      'Connection: Upgrade\r\nUpgrade: h2c',
      'Connection: close, Upgrade\r\nUpgrade: websocket',
      'Expect: 100-continue',
      'Content-Type: application/json',
      'Content-Type: application/json',
      'Content-Type: application/json',
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      'Expect: a miracle',
      'TE: trailers',
      'Transfer-Encoding: CHUNKED',
      'X-Obs: \xe9\xff',
      'Cookie: a=b',
    ),
    { maxLength: 2 },
  ),
  form: fc.constantFrom('origin', 'origin', 'origin', 'origin', 'absolute'),
  times: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 5, 40),
});

const handshake: fc.Arbitrary<Handshake> = fc.record({
  is: fc.constant('handshake' as const),
  over,
  key: fc.constantFrom('own', 'offered', 'none'),
  frames: fc.constantFrom(0, 0, 1, 3),
});

/** Malformed input, after which the rest of the connection is unpredictable. */
const raw = fc
  .oneof(
    fc
      .constantFrom(
        '\r\n',
        '\0',
        'GET\r\n\r\n',
        'GET / HTTP/9.9\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
        'GET / HTTP/1.1\r\n Host: folded\r\n\r\n',
        'GET / HTTP/1.1\nHost: bare\n\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'POST /module/echo/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'POST /module/echo/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
        'POST /http/echo/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n',
        'POST /http/echo/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n',
        'POST /http/echo/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
        'CONNECT /a HTTP/1.1\r\n\r\n',
        'GET /module/echo/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\nabc',
      )
      .map((bytes) => ['', bytes, 1, ''] as const),
    fc.constantFrom(
      ['GET / HTTP/1.1\r\nHost: x\r\nX-Long: ', 'y', 17_000, '\r\n\r\n'] as const,
      ['GET /', 'z', 20_000, ' HTTP/1.1\r\nHost: x\r\n\r\n'] as const,
      ['GET / HTTP/1.1\r\nHost: x\r\n', 'A: b\r\n', 3000, '\r\n'] as const,
    ),
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 30 }).map((bytes) => ['', bytes, 1, ''] as const),
  )
  .map((bytes) => ({ is: 'raw' as const, bytes }));

const element: fc.Arbitrary<Element> = fc.oneof(
  { weight: 14, arbitrary: request },
  { weight: 3, arbitrary: handshake },
  { weight: 1, arbitrary: fc.constant({ is: 'connect' as const }) },
  { weight: 2, arbitrary: raw },
);

/** Several connections that are open at once, to detect one that blocks another. */
export const clientScripts: fc.Arbitrary<ClientScript[]> = fc.array(
  fc.record({ elements: fc.array(element, { minLength: 1, maxLength: 6 }), delivery: deliveries }),
  { minLength: 1, maxLength: 6 },
);
