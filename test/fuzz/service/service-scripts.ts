import * as fc from 'fast-check';

/** One request through the gateway, and what its service does with it. */
export interface Exchange {
  readonly asks: 'GET' | 'HEAD' | 'POST' | 'chunked' | 'websocket';
  /** Another request behind it on the client's connection, which its service answers without a fault. */
  readonly followed: boolean;
  readonly answer: ServiceAnswer;
}

export interface ServiceAnswer {
  readonly interims: readonly string[];
  /** Behind `HTTP/1.1 `. Here and in headers, `{1000}` stands for so many bytes. */
  readonly status: string;
  readonly headers: readonly string[];
  /** `lies`: more or fewer bytes than are announced. `both`: two framings that differ. */
  readonly framing: 'length' | 'chunked' | 'close' | 'long' | 'short' | 'both' | 'broken chunks';
  readonly bodyBytes: number;
  readonly trailers: readonly string[];
  /** Sent with the end of the answer. */
  readonly surplus: string;
  /** Before the request has come whole. */
  readonly early: boolean;
  /** Thousandths of the bytes: where packets end. */
  readonly cuts: readonly number[];
  /** Thousandths of the bytes, behind which nothing is sent. */
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

/** Mostly what is legal, so that some answers are wholly so. */
function mostly<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const place = fc.nat(1000);

const answer: fc.Arbitrary<ServiceAnswer> = fc.record({
  interims: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(mostly(LEGAL_INTERIMS, ILLEGAL_INTERIMS), { maxLength: 5 }) },
  ),
  status: mostly(LEGAL_STATUS, ILLEGAL_STATUS),
  headers: fc.array(mostly(LEGAL_HEADERS, ILLEGAL_HEADERS), { maxLength: 4 }),
  framing: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('length' as const, 'length' as const, 'chunked' as const) },
    { weight: 3, arbitrary: fc.constantFrom('close', 'long', 'both', 'broken chunks') },
    // Costs the time until the gateway gives up.
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

/** A connection on which a service reads no more after a whole answer costs the next request on it, whosever it is. */
export function mayStall(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ answer }) => answer.afterwards === 'stall');
}

export const serviceScripts: fc.Arbitrary<Exchange[]> = fc.array(
  fc.record({
    asks: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'chunked', 'websocket'),
    followed: fc.boolean(),
    answer,
  }),
  { minLength: 1, maxLength: 6 },
);

/** Whether the consumer must get the answer, whole and as it is. */
export function isLegal({ asks, answer }: Exchange): boolean {
  const { framing, surplus, stopAt, afterwards, early } = answer;
  const isFramed = framing === 'length' || framing === 'chunked' || (framing === 'close' && afterwards === 'end');
  if (!isFramed || surplus !== '' || stopAt !== null || afterwards === 'reset') return false;
  // A refused handshake is answered with what the service says; one that is not refused, in the tunnel.
  if (asks === 'websocket' && answer.interims.length > 0) return false;
  // Whoever closes before the request is read resets it.
  if (early && (asks === 'POST' || asks === 'chunked')) return false;
  if (afterwards === 'stall' || !legal.status.has(answer.status)) return false;
  // Announced once more, in another length (RFC 9110, 6.5.1).
  if (answer.trailers.includes('Content-Length: 3')) return false;
  return (
    answer.interims.every((each) => legal.interims.has(each)) && answer.headers.every((each) => legal.headers.has(each))
  );
}
