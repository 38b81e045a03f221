/**
 * The attack: a service behind the gateway, broken or taken over, that responds with unexpected bytes. A reason phrase in
 * Latin-1 ended the process; an unrequested `100 Continue`, or hints in a form that Node rejects, turned a good response into
 * a 502; endless interim responses held a request forever. Whatever a service sends, the gateway continues, and the next
 * client gets the response to its own request.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { until } from '../../../support/until.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { startRawService, type RawService, type Script } from '../../../support/services/raw-service.ts';
import { startStopwatch } from '../../../support/stopwatch.ts';

let service: RawService;
let gateway: TestGateway;
let unhandled: unknown[];
const recordUnhandled = (error: unknown) => unhandled.push(error);

beforeAll(async () => {
  service = await startRawService();
  const timeouts = { response: '400ms', idle: '400ms' };
  gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url), timeouts }]);
  process.on('unhandledRejection', recordUnhandled).on('uncaughtException', recordUnhandled);
  unhandled = [];
});
afterAll(async () => {
  process.off('unhandledRejection', recordUnhandled).off('uncaughtException', recordUnhandled);
  await gateway.stop();
  await service.close();
});
afterEach(async () => {
  expect(unhandled).toEqual([]);
  const path = service.play('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  expect(await (await gateway.call(path)).text()).toBe('ok');
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const get = (path: string, more = '', version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n${more}\r\n`;

/** Sends a GET over a new connection. Returns everything that is received until the connection closes. */
async function bytesFor(script: Script, more = 'Connection: close\r\n', version = '1.1'): Promise<string> {
  const connection = new RawConnection(gateway.url).send(get(service.play(script), more, version));
  const text = await connection.closed();
  connection.close();
  return text;
}

/** Sends a GET, and returns the response. */
async function requestScript(script: Script) {
  const connection = new RawConnection(gateway.url).send(get(service.play(script)));
  const response = await connection.readResponse();
  connection.close();
  return response;
}

describe('the reason phrase is forwarded if possible, or replaced, for', () => {
  const withReason = (reason: string) => `HTTP/1.1 404${reason}\r\nContent-Length: 0\r\n\r\n`;

  test.each([
    ['ASCII', ' No Such Pet', ' No Such Pet'],
    ['UTF-8, byte for byte', ' Ung\xc3\xbcltig', ' Ung\xc3\xbcltig'],
    ['none', ' ', ' '],
    ['none, and no space before it', '', ' '],
    // undici decodes the text as UTF-8, which loses the byte.
    ['Latin-1', ' Ung\xfcltig', ' Not Found'],
    ['UTF-8 beyond Latin-1', ' \xe2\x82\xac \xf0\x9f\x90\xb1', ' \xe2\x82\xac \xf0\x9f\x90\xb1'],
    ['control bytes', ' Not\x01Found', ' Not Found'],
    ['a null byte', ' Not\0Found', ' Not Found'],
  ])('%s', async (_, sent, expected) => {
    const { head } = await requestScript(withReason(sent));
    expect(head.split('\r\n', 1)).toEqual([`HTTP/1.1 404${expected}`]);
  });
});

describe('the status', () => {
  test.each([600, 799, 999])('%i is forwarded', async (status) => {
    expect(await requestScript(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`)).toMatchObject({
      status,
      body: 'ok',
    });
  });

  test.each(['000', '001', '099', '1000', '20', '-20', '2x0', '101'])(
    '%s is not valid, and gets a 502',
    async (status) => {
      expect((await requestScript(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`)).status).toBe(502);
    },
  );
});

describe('response headers', () => {
  test('above ASCII are forwarded byte for byte', async () => {
    const { head } = await requestScript(
      'HTTP/1.1 200 OK\r\nX-Name: Z\xfcrich \xe2\x82\xac\r\nContent-Length: 2\r\n\r\nok',
    );
    expect(head).toMatch(/^x-name: Z\xfcrich \xe2\x82\xac$/im);
  });

  test.each([
    ['a control byte in a value', 'X-A: a\x01b\r\nContent-Length: 2'],
    ['a null byte in a value', 'X-A: a\0b\r\nContent-Length: 2'],
    ['an invalid name', 'X A: b\r\nContent-Length: 2'],
    ['an empty name', ': b\r\nContent-Length: 2'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3'],
    ['an invalid length', 'Content-Length: -2'],
    ['a length that overflows', `Content-Length: ${'9'.repeat(30)}`],
    ['a transfer coding that the consumer would not see', 'Transfer-Encoding: gzip, chunked'],
    ['an endless header', `X-A: ${'a'.repeat(20_000)}`],
    ['endless headers', 'A: b\r\n'.repeat(10_000)],
  ])('with %s get a 502', async (_, lines) => {
    expect((await requestScript(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\nok`)).status).toBe(502);
  });

  test.each([
    ['with a 204', 'HTTP/1.1 204 None\r\nTrailer: X-Sum\r\n\r\n', 204],
    ['with a 304', 'HTTP/1.1 304 Same\r\nTrailer: X-Sum\r\n\r\n', 304],
  ])('that announce trailers %s are not forwarded', async (_, bytes, status) => {
    const response = await requestScript(bytes);
    expect([response.status, response.head]).toEqual([status, expect.not.stringMatching(/^trailer:/im)]);
  });

  test('do not announce trailers to HTTP/1.0, which gets none', async () => {
    const chunked =
      'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n';
    const text = await bytesFor(chunked, '', '1.0');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
    expect(text).not.toMatch(/x-sum/i);
  });

  test('have no length with a 204, whatever the service sends', async () => {
    const { status, head } = await requestScript('HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n');
    expect([status, head]).toEqual([204, expect.not.stringMatching(/^content-length:/im)]);
  });

  test('can have the names of built-in object properties', async () => {
    const { head } = await requestScript(
      'HTTP/1.1 200 OK\r\n__proto__: 1\r\nconstructor: 2\r\nconstructor: 3\r\nContent-Length: 2\r\n\r\nok',
    );
    expect(head.match(/^(__proto__|constructor): \d$/gim)).toEqual([
      '__proto__: 1',
      'constructor: 2',
      'constructor: 3',
    ]);
  });
});

describe('interim responses', () => {
  test.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n', ''],
    ['100 with headers, twice', 'HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n'.repeat(2), ''],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['199', 'HTTP/1.1 199 Odd\r\nX-A: b\r\n\r\n', 'HTTP/1.1 199 unknown\r\n\r\n'],
    [
      '100 behind 102 behind 100',
      'HTTP/1.1 100 \r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
    ],
    [
      'hints with two links in one field',
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload, </b.js>; rel=preload\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload, </b.js>; rel=preload\r\n\r\n',
    ],
    [
      'hints in two fields, one with two relations',
      'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel="preload stylesheet"\r\nX: y\r\nLink:</b>; rel=x \r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel="preload stylesheet"\r\nLink: </b>; rel=x\r\n\r\n',
    ],
    [
      'hints with a control byte in a link, which is dropped',
      'HTTP/1.1 103 Early Hints\r\nLink: </a\x01>\r\nLink: </b>\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n',
    ],
  ])('are forwarded, except 100, with only their links as headers: %s', async (_, interim, expected) => {
    for (const script of [interim + OK, byByte(interim + OK)]) {
      const text = await bytesFor(script);
      expect(text.slice(0, text.indexOf('HTTP/1.1 200 '))).toBe(expected);
      expect(text).toMatch(/\r\n\r\nok$/);
    }
  });

  test('are not sent to HTTP/1.0', async () => {
    const script = `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${OK}`;
    expect(await bytesFor(script, '', '1.0')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('are forwarded up to a maximum number, and do not delay the response', async () => {
    const text = await bytesFor('HTTP/1.1 102 Processing\r\n\r\n'.repeat(5000) + OK);
    expect(text.split('HTTP/1.1 102 ').length - 1).toBe(16);
    expect(text).toMatch(/HTTP\/1\.1 200 OK\r\n[^]*ok$/);
  });

  test.each([100, 102, 103])('of status %i without end get a 504 at the timeout', async (status) => {
    const stopwatch = startStopwatch();
    const text = await bytesFor((socket) => {
      const timer = setInterval(() => socket.write(`HTTP/1.1 ${status} On And On\r\n\r\n`), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(text).toMatch(/HTTP\/1\.1 504 /);
    // The wait would never end if each interim response started a new timeout.
    expect(stopwatch.stop()).toBeLessThan(60_000);
  });

  test('without an empty line do not absorb the headers of the response, which gets a 502', async () => {
    const smuggled = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen';
    const { status, body } = await requestScript(`HTTP/1.1 102 Processing\r\n${OK}${smuggled}`);
    expect([status, body]).toEqual([502, expect.not.stringContaining('stolen')]);
  });

  test('with endless headers get a 502', async () => {
    const script = `HTTP/1.1 102 Processing\r\nX: ${'x'.repeat(100_000)}`;
    expect((await requestScript(script)).status).toBe(502);
  });

  test('that are incomplete get a 502', async () => {
    for (const part of ['H', 'HTTP/1.1 1', 'HTTP/1.1 100 Cont', 'HTTP/1.1 100 Continue\r\n\r\n'])
      expect((await requestScript((socket) => socket.end(part))).status).toBe(502);
  });

  test('of status 100 to a request without Expect change nothing', async () => {
    const path = service.play((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      setTimeout(() => socket.write(OK), 20);
    });
    const response = await gateway.call('/echo', { method: 'POST', body: 'abc', headers: { 'X-Script': path } });
    expect(await response.text()).toBe('ok');
  });
});

describe('the end of the body', () => {
  test('a body longer than its length is truncated, and the rest never reaches a client', async () => {
    const path = service.play(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad',
    );
    const connection = new RawConnection(gateway.url);
    const good = service.play(OK);
    for (const [requested, body] of [path, good, path, path, good].map((each) => [each, 'ok'])) {
      connection.send(get(requested ?? ''));
      expect(await connection.readResponse()).toMatchObject({ status: 200, body });
    }
    connection.close();
  });

  test('unexpected data on an idle connection closes it, and never reaches a client', async () => {
    let closed = false;
    const path = service.play((socket) => {
      socket.once('close', () => (closed = true)).write(OK);
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad'), 20);
    });
    expect(await (await gateway.call(path)).text()).toBe('ok');
    await until(() => closed);
  });

  test.each([
    ['with reserved names', 'X-RateLimit-Limit: 1\r\nx-request-id: forged\r\nRateLimit: forged', ''],
    [
      'that frame, route or authenticate',
      'Cache-Control: no-store\r\nSet-Cookie: a=b\r\nTrailer: x\r\nLocation: /',
      '',
    ],
    ["with the gateway's names", 'X-Sum: 1\r\nX-Sum: 2', 'x-sum: 1\r\nx-sum: 2\r\n'],
  ])('only ordinary trailers are forwarded: trailers %s', async (_, lines, expected) => {
    const { body } = await requestScript(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${lines}\r\n\r\n`,
    );
    expect(body).toBe(`2\r\nok\r\n0\r\n${expected}\r\n`);
  });

  test.each([
    ['endless trailers', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n' + 'A: b\r\n'.repeat(20_000)],
    ['a length in trailers', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nContent-Length: 1\r\n\r\n'],
    ['invalid trailers', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA\0: b\r\n\r\n'],
    ['an invalid chunk size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nxyz\r\n'],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n'],
    ['an endless chunk extension', `Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1;${'a'.repeat(200_000)}`],
  ])('%s makes the consumer’s connection close early', async (_, rest) => {
    const text = await bytesFor(`HTTP/1.1 200 OK\r\n${rest}`, '');
    expect(text).toMatch(/^HTTP\/1\.1 (200|502) /);
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  const whole =
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n\r\n';
  test('a reset at any byte gets a 502, an aborted connection, or a complete response', async () => {
    const outcomes = new Set<string>();
    for (let at = 0; at <= whole.length; at += 7) {
      const text = await bytesFor((socket) => socket.write(whole.slice(0, at), () => socket.resetAndDestroy()));
      const rest = text.replace(/^HTTP\/1\.1 103 [^]*?\r\n\r\n/, '');
      const isWhole = /\r\n0\r\n(a: b\r\n)?\r\n$/i.test(rest);
      outcomes.add(rest === '' ? 'nothing' : `${rest.slice(9, 12)}${isWhole ? ' whole' : ''}`);
    }
    expect([...outcomes].filter((each) => !['502', '200', '200 whole'].includes(each))).toEqual([]);
  });
});

describe('a response before the request is complete', () => {
  test('is forwarded, and neither connection is used again', async () => {
    const path = service.play(OK);
    const connection = new RawConnection(gateway.url);
    connection.send(
      `PUT /echo HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nX-Script: ${path}\r\nContent-Length: 9\r\n\r\nabc`,
    );
    expect(await connection.readResponse()).toMatchObject({ status: 200, body: 'ok' });
    // The gateway reads the rest of the request body, but no request after it.
    connection.send(`defghi${get(path)}`);
    expect(await connection.closed()).toBe('');
    connection.close();
    const before = service.connections.ever;
    expect((await gateway.call('/echo', { headers: { 'X-Script': path } })).status).toBe(200);
    expect(service.connections.ever).toBe(before + 1);
  });
});

/** Sends one byte at a time, each in its own packet if the system allows it. */
function byByte(bytes: string): Script {
  return (socket) => {
    socket.setNoDelay(true);
    let at = 0;
    const next = () => {
      if (at < bytes.length && !socket.destroyed) socket.write(bytes[at++] ?? '', 'latin1', () => setImmediate(next));
    };
    next();
  };
}

/** The refusal of a request body over the limit once cut off the response that had already begun. */
test('a response sent before the request body exceeded the limit arrives completely', async () => {
  const chunk = `10000\r\n${'b'.repeat(0x10000)}\r\n`;
  for (let round = 0; round < 20; round++) {
    const path = service.play(OK);
    const connection = new RawConnection(gateway.url);
    const head = get('/echo', `X-Script: ${path}\r\nTransfer-Encoding: chunked\r\n`).replace('GET', 'POST');
    connection.send(head + chunk.repeat(15));
    connection.send(`${chunk.repeat(10)}0\r\n\r\n`);
    const { status, body } = await connection.readResponse();
    expect([200, 413]).toContain(status);
    if (status === 200) expect(body).toBe('ok');
    await connection.closed();
    connection.close();
  }
});
