/**
 * The attack: a request that the gateway reads in one way and the service behind it in another. The gateway checks the
 * key, quota and path of what it reads, but the service acts on something else. So an ambiguous request must not reach
 * a service, and neither must the bytes behind it if its end is uncertain.
 *
 * Each probe is sent as raw bytes on a connection that has already served a valid request, to a gateway in a separate
 * process, in front of an upstream that records what it receives. A built program once lacked two of these checks
 * although all tests of the sources passed, so the probes are sent to what users start.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.ts';
import { MALFORMED_PATH_ENDINGS } from '../../support/malformed-paths.ts';
import { RawConnection } from '../../support/raw.ts';
import { startRecorder, type Recorder } from '../../support/services/recorder.ts';
import type { StartedGateway } from '../../support/gateway/started.ts';

/**
 * Declares the tests.
 *
 * @param start starts a gateway in front of the contract service at a URL
 */
export function refusesMalformedRequests(start: (serviceUrl: string) => Promise<StartedGateway>): void {
  let recorder: Recorder;
  let gateway: StartedGateway;
  let good: string;

  beforeAll(async () => {
    recorder = await startRecorder();
    gateway = await start(recorder.url);
    good = `Host: x\r\nX-API-Key: ${gateway.key}\r\n`;
  });
  afterEach(() => void recorder.take());
  afterAll(async () => {
    await gateway?.stop();
    await recorder.close();
  });

  /** Sends a valid request, the probe, and another valid request. */
  async function probe(bytes: string) {
    const connection = new RawConnection(gateway.url);
    connection.send(`GET /echo?first HTTP/1.1\r\n${good}\r\n`);
    expect((await connection.readResponse()).status).toBe(200);
    expect(recorder.take().map(({ url }) => url)).toEqual(['/echo?first']);
    connection.send(`${bytes.replace('GOOD', good.trimEnd())}GET /echo?behind HTTP/1.1\r\n${good}\r\n`);
    const response = await connection.readResponse();
    if (/^connection: close$/im.test(response.head)) await connection.closed();
    else await connection.readResponse();
    connection.close();
    const code = (JSON.parse(response.body) as { code: string }).code;
    return { status: response.status, code, head: response.head, reached: recorder.take().map(({ url }) => url) };
  }

  describe('a path that a service could read as another path is refused, such as', () => {
    test.each([
      ['the absolute form of another host, which could win over Host', 'http://y/echo'],
      ['the absolute form with a user', 'http://x@x/echo'],
      ['the absolute form of another port', 'http://x:81/echo'],
      ['the absolute form of another scheme', 'ftp://x/echo'],
      ['the absolute form without a host', 'http:///echo'],
      ['dot segments in the absolute form', 'http://x/echo/../status/200'],
      ['a double slash', '//echo'],
      ...MALFORMED_PATH_ENDINGS.map(([what, ending]) => [what, `/echo${ending}`] as const),
      ['an escape that is not UTF-8, of an operation with a parameter', '/status/%ff'],
      ['a path without a slash', '*'],
    ])('%s', async (_, path) => {
      const { status, code, reached } = await probe(`GET ${path} HTTP/1.1\r\nGOOD\r\n\r\n`);
      expect({ status, code, reached }).toEqual({ status: 400, code: 'invalid_path', reached: ['/echo?behind'] });
    });

    test('a fragment in the query', async () => {
      const { status, reached } = await probe('GET /echo?a#b HTTP/1.1\r\nGOOD\r\n\r\n');
      expect({ status, reached }).toEqual({ status: 400, reached: ['/echo?behind'] });
    });
  });

  describe('an unusual but unambiguous request is accepted, such as', () => {
    test.each([
      [
        'the absolute form with the host of the Host header',
        'GET http://X/echo?a=b HTTP/1.1\r\nGOOD\r\n\r\n',
        '/echo?a=b',
      ],
      ['the absolute form without a path', 'OPTIONS http://x?a=b HTTP/1.1\r\nGOOD\r\n\r\n', null],
      [
        'chunks announced in capitals',
        'POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: CHUNKED\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
        '/echo',
      ],
    ])('%s', async (_, bytes, url) => {
      const connection = new RawConnection(gateway.url);
      connection.send(bytes.replace('GOOD', good.trimEnd()));
      const { status } = await connection.readResponse();
      connection.close();
      const reached = recorder.take();
      expect(reached.map((each) => each.url)).toEqual(url === null ? [] : [url]);
      expect(status).toBe(url === null ? 404 : 200);
      for (const { method, body, rawHeaders } of reached) {
        expect(body).toBe(method === 'POST' ? 'hi' : '');
        expect(rawHeaders.join(': ')).toMatch(/Via: 1\.1 tollgate/);
      }
    });
  });

  describe('framing that a service could read differently is refused with 400, and nothing after it is read, for', () => {
    const inner = 'GET /echo?smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    const chunkedInner = `0\r\n\r\n${inner}`;
    test.each([
      ['no Host', `GET /echo HTTP/1.1\r\nX-API-Key: k\r\n\r\n`],
      ['an empty Host', 'GET /echo HTTP/1.1\r\nHost:\r\n\r\n'],
      ['two Hosts', 'GET /echo HTTP/1.1\r\nGOOD\r\nHost: y\r\n\r\n'],
      ['a Host that is a list', 'GET /echo HTTP/1.1\r\nHost: x, y\r\n\r\n'],
      ['a Host with a path', 'GET /echo HTTP/1.1\r\nHost: x/admin\r\n\r\n'],
      ['a Host with a user', 'GET /echo HTTP/1.1\r\nHost: a@b\r\n\r\n'],
      [
        'chunked with a Content-Length',
        `POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${chunkedInner}`,
      ],
      [
        'a Content-Length with chunked',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\nContent-Length: ${chunkedInner.length}\r\n\r\n${chunkedInner}`,
      ],
      [
        'another coding before chunked',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${chunkedInner}`,
      ],
      ['identity', `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: identity\r\n\r\n${inner}`],
      ['an unknown coding', `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: xchunked\r\n\r\n${chunkedInner}`],
      [
        'chunked twice in a list',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked, chunked\r\n\r\n${chunkedInner}`,
      ],
      [
        'two Transfer-Encoding headers',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunkedInner}`,
      ],
      [
        'chunked with a parameter',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked;a=b\r\n\r\n${chunkedInner}`,
      ],
      [
        'chunked in HTTP/1.0',
        `POST /echo HTTP/1.0\r\nGOOD\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${chunkedInner}`,
      ],
      ['a space before the colon', `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding : chunked\r\n\r\n${chunkedInner}`],
      ['a folded header', `POST /echo HTTP/1.1\r\nGOOD\r\nX: y\r\n Transfer-Encoding: chunked\r\n\r\n${chunkedInner}`],
      [
        'two lengths that differ',
        `POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      ],
      ['two lengths that agree', 'POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n'],
      ['a length that is a list', `POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 0, ${inner.length}\r\n\r\n${inner}`],
      ['a length with a sign', 'POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: +1\r\n\r\nx'],
      ['a negative length', 'POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: -1\r\n\r\n'],
      ['a length in hexadecimal', 'POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 0x1\r\n\r\nx'],
      ['a length that overflows', 'POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 99999999999999999999999\r\n\r\n'],
      ['an invalid chunk size', 'POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n\r\n'],
      [
        'a chunk longer than its size',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`,
      ],
      ['a chunk size with a sign', `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\n\r\n+0\r\n\r\n`],
      [
        'a chunk size that overflows',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n`,
      ],
      [
        'a bare line feed after a chunk size',
        `POST /echo HTTP/1.1\r\nGOOD\r\nTransfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n`,
      ],
      ['bare line feeds', 'GET /echo HTTP/1.1\nHost: x\n\n'],
      ['a bare carriage return in a header', 'GET /echo HTTP/1.1\r\nGOOD\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n'],
      ['a NUL in a header', 'GET /echo HTTP/1.1\r\nGOOD\r\nX: a\0b\r\n\r\n'],
      ['a header without a name', 'GET /echo HTTP/1.1\r\nGOOD\r\n: x\r\n\r\n'],
      ['HTTP/2.0', 'GET /echo HTTP/2.0\r\nGOOD\r\n\r\n'],
      ['HTTP/0.9', 'GET /echo HTTP/0.9\r\nGOOD\r\n\r\n'],
      ['HTTP/1.2', 'GET /echo HTTP/1.2\r\nGOOD\r\n\r\n'],
      ['an unknown method', 'GETS /echo HTTP/1.1\r\nGOOD\r\n\r\n'],
      ['a raw non-ASCII byte in the path', 'GET /echo/\xe4 HTTP/1.1\r\nGOOD\r\n\r\n'],
    ])('%s', async (_, bytes) => {
      const { status, code, head, reached } = await probe(bytes);
      // The start of a body that has an error later may have been forwarded, but nothing after the error.
      expect(reached.filter((url) => url !== '/echo')).toEqual([]);
      expect({ status, code }).toEqual({ status: 400, code: 'bad_request' });
      expect(head).toMatch(/^connection: close$/im);
      expect(head).toMatch(/^x-ratelimit-remaining: \d+$/im);
      expect(head).toMatch(/^x-request-id: .+$/im);
    });
  });

  describe('a method without an operation is refused, such as', () => {
    test.each(['TRACE', 'OPTIONS', 'PROPFIND', 'PATCH', 'PURGE'])('%s', async (method) => {
      const { status, code, head, reached } = await probe(`${method} /echo HTTP/1.1\r\nGOOD\r\n\r\n`);
      expect({ status, code, reached }).toEqual({ status: 405, code: 'method_not_allowed', reached: ['/echo?behind'] });
      expect(head).toMatch(/^allow: GET, HEAD, PUT, POST, DELETE$/im);
    });

    test('CONNECT, which opens no tunnel', async () => {
      const { status, code, reached } = await probe('CONNECT 127.0.0.1:22 HTTP/1.1\r\nGOOD\r\n\r\n');
      expect({ status, code, reached }).toEqual({ status: 405, code: 'method_not_allowed', reached: [] });
    });
  });

  test('a header block over the limit is refused', async () => {
    const { status, code, reached } = await probe(`GET /echo HTTP/1.1\r\nGOOD\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect({ status, code, reached }).toEqual({ status: 431, code: 'headers_too_large', reached: [] });
  });

  test('a body whose declared length exceeds the limit is refused before 100 Continue', async () => {
    const bytes = 'POST /echo HTTP/1.1\r\nGOOD\r\nExpect: 100-continue\r\nContent-Length: 1048577\r\n\r\n';
    const { status, code, reached } = await probe(bytes);
    expect({ status, code, reached }).toEqual({ status: 413, code: 'body_too_large', reached: [] });
  });

  test('a chunked body that exceeds the limit is refused', async () => {
    const connection = new RawConnection(gateway.url);
    connection.send(`POST /echo HTTP/1.1\r\n${good}Transfer-Encoding: chunked\r\n\r\n`);
    connection.send(`${(1_048_577).toString(16)}\r\n${'x'.repeat(1_048_577)}\r\n`);
    const { status, body } = await connection.readResponse();
    connection.close();
    const complete = recorder.take().filter((request) => request.complete);
    expect({ status, body: JSON.parse(body) as object, complete }).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
      complete: [],
    });
  });

  test.each([
    ['headers', 'GET /echo HTTP/1.1\r\nGOOD\r\n'],
    ['a body', 'POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: 10\r\n\r\nslow'],
  ])('a client that never finishes sending %s is disconnected', async (_, bytes) => {
    const connection = new RawConnection(gateway.url);
    connection.send(bytes.replace('GOOD', good.trimEnd()));
    const { status, head } = await connection.readResponse();
    await connection.closed();
    expect(status).toBe(408);
    expect(head).toMatch(/^connection: close$/im);
    expect(recorder.take().filter((request) => request.complete)).toEqual([]);
  });

  test('a consumer that is still sending can read the 413', async () => {
    const response = await fetch(`${gateway.url}/echo`, {
      method: 'POST',
      headers: { 'X-API-Key': gateway.key },
      body: Buffer.alloc(5_000_000),
    });
    expect([response.status, (await response.json()) as object]).toEqual([
      413,
      expect.objectContaining({ code: 'body_too_large' }),
    ]);
    expect(recorder.take()).toEqual([]);
  });

  test('every encoding of a path reaches its own operation in the same normalized form', async () => {
    const connection = new RawConnection(gateway.url);
    connection.send(`GET /%65cho/%7euser%c3%a4?x=%zz HTTP/1.1\r\n${good}\r\n`);
    expect((await connection.readResponse()).status).toBe(200);
    connection.close();
    expect(recorder.take().map(({ url }) => url)).toEqual(['/echo/~user%C3%A4?x=%zz']);
  });

  test('headers that a service could mistake for the gateway’s are dropped, in any spelling', async () => {
    const connection = new RawConnection(gateway.url);
    const forged = [
      'X_Consumer_Id',
      'x-consumer_id',
      'X-Forwarded-For',
      'X_Forwarded_For',
      'Forwarded',
      'X-Original-URL',
    ];
    forged.push('X-HTTP-Method-Override', 'X_HTTP_Method_Override', 'X-Rewrite-Url', 'Content_Length');
    forged.push('Transfer_Encoding', 'Proxy-Connection', 'Upgrade', 'TE', 'Trailer', 'X-API_Key');
    connection.send(`GET /echo HTTP/1.1\r\n${good}${forged.map((name) => `${name}: forged\r\n`).join('')}\r\n`);
    expect((await connection.readResponse()).status).toBe(200);
    connection.close();
    const [seen] = recorder.take();
    expect(seen?.rawHeaders.filter((_, index) => index % 2 === 1)).not.toContain('forged');
    expect(seen?.rawHeaders.join()).not.toContain(gateway.key);
  });

  test('every refusal is logged with its reason', async () => {
    const before = gateway.responses().length;
    await probe('GET /echo/.. HTTP/1.1\r\nGOOD\r\n\r\n');
    await probe('POST /echo HTTP/1.1\r\nGOOD\r\nContent-Length: x\r\n\r\n');
    const isLogged = (code: string) =>
      gateway
        .responses()
        .slice(before)
        .some(({ reason }) => reason === code);
    // The log comes from another process, so it arrives shortly after the responses.
    await until(() => isLogged('invalid_path') && isLogged('bad_request'));
  });
}
