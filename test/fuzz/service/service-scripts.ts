import * as fc from 'fast-check';

/** A request through the gateway, and the service's response to it. */
export interface Exchange {
  readonly asks: 'GET' | 'HEAD' | 'POST' | 'chunked' | 'websocket';
  /** True if another request follows on the client's connection, to which the service responds correctly. */
  readonly followed: boolean;
  readonly answer: ServiceResponse;
}

export interface ServiceResponse {
  readonly interims: readonly string[];
  /** The text after `HTTP/1.1 `. Here and in headers, `{1000}` expands to 1000 bytes. */
  readonly status: string;
  readonly headers: readonly string[];
  /** `long` and `short` send more or fewer bytes than announced. `both` has Content-Length and is chunked. */
  readonly framing: 'length' | 'chunked' | 'close' | 'long' | 'short' | 'both' | 'broken chunks';
  readonly bodyBytes: number;
  readonly trailers: readonly string[];
  /** Extra bytes that are sent with the end of the response. */
  readonly surplus: string;
  /** True to respond before the whole request has arrived. */
  readonly early: boolean;
  /** The boundaries of packets, in thousandths of the bytes. */
  readonly cuts: readonly number[];
  /** After this many thousandths of the bytes, nothing more is sent. Null: everything is sent. */
  readonly stopAt: number | null;
  readonly afterwards: 'keep' | 'end' | 'reset' | 'stall';
}

const LEGAL_INTERIMS = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 Processing\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload, </b.js>; rel=preload; as=script\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel="preload stylesheet"\r\nLink: </b>; rel=next\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: <>;;, \xff\r\nX-Request-Id: forged\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\n\r\n',
  'HTTP/1.1 199 \xfc\r\nA: b\r\n\r\n',
];
const ILLEGAL_INTERIMS = [
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'HTTP/1.1 100\r\n',
];

const LEGAL_STATUS = ['200 OK', '200 ', '201 Created', '204 No Content', '304 Not Modified', '404 Ung\xfcltig'].concat([
  '404 Sch\xc3\xb6n',
  '418 \tTea',
  '500 Oh',
  '503 No',
  '599 ?',
  '200 {1000}',
]);
const ILLEGAL_STATUS = ['99 Low', '1000 High', 'OK', '200', '200 a\0b', '200 {20000}', '101 Switching'];

const LEGAL_HEADERS = [
  'X-Odd: \xff\xfe',
  'Set-Cookie: a=b',
  'Set-Cookie: c=d; Path=/',
  'X-RateLimit-Limit: 1',
  'x-ratelimit-remaining: 2',
  'X-Request-Id: forged',
  'Connection: close',
  'Connection: X-Odd, close',
  'Keep-Alive: timeout=1',
  'Trailer: X-Sum',
  'Empty:',
  'Link: </next>; rel=next',
  'X-Long: {2500}',
  'Upgrade: h2c',
  'Date: yesterday',
  'Expect: 100-continue',
  'toString: x',
  '__proto__: x',
  'constructor: x',
];
const ILLEGAL_HEADERS = [
  'Bad Header: x',
  'X-Null: a\0b',
  ': nameless',
  ' folded: x',
  'no colon',
  'Content-Length: 1',
  'Content-Length: nonsense',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked',
  'X-Huge: {40000}',
];
const TRAILERS = [
  'X-Sum: 1',
  'X-RateLimit-Limit: 9',
  'x-request-id: forged',
  'Set-Cookie: a=b',
  'Content-Length: 3',
  'T: \xff',
  '__proto__: x',
];

const legal = {
  interims: new Set(LEGAL_INTERIMS),
  status: new Set(LEGAL_STATUS),
  headers: new Set(LEGAL_HEADERS),
};

/** Generates mostly legal values, so that some responses are entirely legal. */
function mostly<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const place = fc.nat(1000);

const serviceResponse: fc.Arbitrary<ServiceResponse> = fc.record({
  interims: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(mostly(LEGAL_INTERIMS, ILLEGAL_INTERIMS), { maxLength: 5 }) },
  ),
  status: mostly(LEGAL_STATUS, ILLEGAL_STATUS),
  headers: fc.array(mostly(LEGAL_HEADERS, ILLEGAL_HEADERS), { maxLength: 4 }),
  framing: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('length' as const, 'length' as const, 'chunked' as const) },
    { weight: 3, arbitrary: fc.constantFrom('close', 'long', 'both', 'broken chunks') },
    // This is rare, because it takes until the gateway times out.
    { weight: 1, arbitrary: fc.constant('short' as const) },
  ),
  bodyBytes: fc.constantFrom(0, 20, 20, 5000, 200_000),
  trailers: fc.array(fc.constantFrom(...TRAILERS), { maxLength: 2 }),
  surplus: fc.constantFrom(
    '',
    '',
    '',
    '',
    '',
    'x',
    '\r\n',
    'HTTP/1.1 200 OK\r\nX-Token: stolen\r\nContent-Length: 6\r\n\r\nstolen',
  ),
  early: fc.boolean(),
  cuts: fc.array(place, { maxLength: 4 }),
  stopAt: fc.option(place, { freq: 1 }).map((at) => (at === null || at === 0 ? null : at)),
  afterwards: fc.oneof(
    { weight: 20, arbitrary: fc.constant('keep' as const) },
    { weight: 4, arbitrary: fc.constantFrom('end' as const, 'reset' as const) },
    { weight: 1, arbitrary: fc.constant('stall' as const) },
  ),
});

/**
 * True if the service may stall. After a stall, the next request on the same upstream connection fails, whichever
 * client sent it.
 */
export function mayStall(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ answer: serviceResponse }) => serviceResponse.afterwards === 'stall');
}

export const serviceScripts: fc.Arbitrary<Exchange[]> = fc.array(
  fc.record({
    asks: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'chunked', 'websocket'),
    followed: fc.boolean(),
    answer: serviceResponse,
  }),
  { minLength: 1, maxLength: 6 },
);

/** True if the consumer must get the response complete and unchanged. */
export function isLegal({ asks, answer: serviceResponse }: Exchange): boolean {
  const { framing, surplus, stopAt, afterwards, early } = serviceResponse;
  const isFramed = framing === 'length' || framing === 'chunked' || (framing === 'close' && afterwards === 'end');
  if (!isFramed || surplus !== '' || stopAt !== null || afterwards === 'reset') return false;
  // After a handshake, interim responses may be forwarded as the refusal, or inside the tunnel.
  if (asks === 'websocket' && serviceResponse.interims.length > 0) return false;
  // If the service closes the connection before it has read the request, that causes a reset.
  if (early && (asks === 'POST' || asks === 'chunked')) return false;
  if (afterwards === 'stall' || !legal.status.has(serviceResponse.status)) return false;
  // This trailer is a second, different Content-Length (RFC 9110, 6.5.1).
  if (serviceResponse.trailers.includes('Content-Length: 3')) return false;
  return (
    serviceResponse.interims.every((each) => legal.interims.has(each)) &&
    serviceResponse.headers.every((each) => legal.headers.has(each))
  );
}
