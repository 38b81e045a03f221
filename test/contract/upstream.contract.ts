import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { RawConnection } from '../support/raw.ts';

/** The request that the upstream's `/echo` received. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Declares the guarantees for upstream teams and consumers, which every kind of upstream must meet. The service is
 * `contract-service.ts`.
 */
export function upstreamContract(kind: string, start: () => Promise<TestGateway>): void {
  describe(`with a service ${kind},`, () => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await start();
    });
    afterAll(() => gateway.stop());

    const readSeen = async (path: string, init: RequestInit = {}): Promise<Seen> =>
      (await (await gateway.call(path, init)).json()) as Seen;
    const left = async () => Number(await (await gateway.call('/left')).text());
    const raw = (bytes: string) =>
      new RawConnection(gateway.url).send(bytes.replace('KEY', `Host: x\r\nX-API-Key: ${gateway.demoKey}`));

    test('method, path, query and body of a request arrive as sent', async () => {
      const body = 'ünï{"code":1}';
      const { method, url, body: got } = await readSeen('/echo?a=1&b=%20&a=2', { method: 'POST', body });
      expect({ method, url, got }).toEqual({ method: 'POST', url: '/echo?a=1&b=%20&a=2', got: body });
      expect((await readSeen('/echo/a%20b%2Cc')).url).toBe('/echo/a%20b%2Cc');
    });

    test('the service receives the caller’s identity, but neither the key nor forged identity headers', async () => {
      const forged = { 'X-Consumer-Id': 'root', 'x-credential-id': 'x', x_consumer_plan: 'gold', Forwarded: 'for=1' };
      const { headers, rawHeaders } = await readSeen('/echo', {
        headers: { ...forged, 'X-Request-Id': 'my-id', 'X-Forwarded-For': '9.9.9.9', 'X-Original-URL': '/admin' },
      });
      expect(headers).toMatchObject({
        'x-consumer-id': 'demo',
        'x-credential-id': expect.stringMatching(/^key_/),
        'x-consumer-plan': 'free',
        'x-request-id': 'my-id',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': new URL(gateway.url).host,
      });
      expect(Object.keys(headers)).not.toContain('x_consumer_plan');
      expect(JSON.stringify([headers, rawHeaders])).not.toMatch(/tg_live_|admin|for=1|root|gold/);
    });

    test('an Authorization header without a key of the gateway is forwarded', async () => {
      expect((await readSeen('/echo', { headers: { Authorization: 'Basic abc' } })).headers['authorization']).toBe(
        'Basic abc',
      );
    });

    /** Clients put keys into URLs, and browsers put URLs into the header Referer. */
    test('keys in the query, in cookies and in Referer are redacted', async () => {
      const encoded = gateway.demoKey.replaceAll('_', '%5F').replace('t', '%74');
      const connection = raw(
        `GET /echo?key=${gateway.demoKey}&again=${encoded}&plain=%41 HTTP/1.1\r\nKEY\r\n` +
          `Cookie: a=1; key=${gateway.demoKey}\r\nCookie: b=${gateway.demoKey}\r\n` +
          `Referer: https://app.example/?key=${gateway.demoKey}\r\nReferer: ${gateway.demoKey}\r\n\r\n`,
      );
      const { body } = await connection.readResponse();
      connection.close();
      expect(body).not.toContain(gateway.demoKey.slice('tg_live_'.length));
      const { url, headers } = JSON.parse(body) as Seen;
      expect(url).toBe('/echo?key=tg_live_redacted&again=tg_live_redacted&plain=%41');
      expect(headers['cookie']).toBe('a=1; key=tg_live_redacted; b=tg_live_redacted');
      expect(headers['referer']).toBe('https://app.example/?key=tg_live_redacted');
    });

    /** If the gateway is on the same host as the console and the portal, browsers send it their cookies, too. */
    test('cookies of the console and the portal are not forwarded', async () => {
      const cookies = [
        'tollgate-console=1; a=1; __Host-tollgate-portal=2',
        '__Host-tollgate-console=3; __Secure-tollgate-console-oidc=5',
        'not-tollgate-portal=4',
      ];
      const connection = raw(
        `GET /echo HTTP/1.1\r\nKEY\r\n${cookies.map((each) => `Cookie: ${each}\r\n`).join('')}\r\n`,
      );
      const { headers } = JSON.parse((await connection.readResponse()).body) as Seen;
      connection.close();
      expect(headers['cookie']).toBe('a=1; not-tollgate-portal=4');
    });

    /** Services that trust a proxy in front of them would accept a forged address or identity. */
    test('headers that a proxy would set are not forwarded, in any spelling', async () => {
      const forged = ['X-Real-IP', 'true-client-ip', 'CF-Connecting-IP', 'Remote-User', 'REMOTE_USER', 'X_Real_IP'];
      forged.push(
        'X-Forwarded-User',
        'X-Forwarded-Port',
        'x_forwarded_groups',
        'X-SSL-Client-Verify',
        'X-Auth-Request-Email',
      );
      const fine = { 'X-Realm': '1', 'X-User-Agent': '2', Remote: '3' };
      const sent = { ...Object.fromEntries(forged.map((name) => [name, 'forged'])), ...fine };
      const { headers } = (await (await gateway.call('/echo', { headers: sent })).json()) as Seen;
      expect(Object.values(headers)).not.toContain('forged');
      expect(headers).toMatchObject({ 'x-realm': '1', 'x-user-agent': '2', remote: '3' });
    });

    test('hop-by-hop headers and those named in Connection are not forwarded', async () => {
      const connection = raw(
        'GET /echo HTTP/1.1\r\nKEY\r\nConnection: close, X-Secret-Hop, X-Consumer-Id, content-length\r\nX-Secret-Hop: 1\r\n' +
          'Keep-Alive: 5\r\nTE: trailers\r\nProxy-Authorization: x\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n\r\n',
      );
      const { headers } = JSON.parse((await connection.readResponse()).body) as Seen;
      connection.close();
      const names = Object.keys(headers);
      for (const name of ['x-secret-hop', 'te', 'upgrade', 'proxy-authorization', 'http2-settings'])
        expect(names).not.toContain(name);
      expect(headers['x-consumer-id']).toBe('demo');
    });

    test('the status, the reason phrase and every line of a repeated header are returned', async () => {
      const connection = raw('GET /headers HTTP/1.1\r\nKEY\r\n\r\n');
      const { head, body } = await connection.readResponse();
      connection.close();
      expect(head).toMatch(/^HTTP\/1\.1 200 Fine\r\n/);
      expect(head.match(/^set-cookie: .*$/gim)).toEqual([
        expect.stringContaining('a=1'),
        expect.stringContaining('b=2; Path=/'),
      ]);
      expect(head).toMatch(/^x-mixed-case: Kept$/im);
      expect(head).toMatch(/^link: <\/next>; rel="next"$/im);
      expect(body).toBe('ok');
    });

    test('the service cannot overwrite the headers that the gateway sets', async () => {
      const { headers } = await gateway.call('/headers');
      expect(headers.get('x-request-id')).not.toContain('forged');
      expect(headers.get('x-ratelimit-limit')).not.toContain(',');
    });

    test.each([204, 304, 404, 500])(
      'a response with status %i is complete, and the connection stays open',
      async (status) => {
        const connection = raw(`GET /status/${status} HTTP/1.1\r\nKEY\r\n\r\n`);
        const first = await connection.readResponse();
        connection.send(`GET /headers HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
        const second = await connection.readResponse();
        connection.close();
        expect([first.status, second.status, second.body]).toEqual([status, 200, 'ok']);
      },
    );

    test('HEAD returns the headers of GET, and no body', async () => {
      const response = await gateway.call('/headers', { method: 'HEAD' });
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '2', '']);
    });

    test('a client with HTTP/1.0 gets a complete response', async () => {
      const connection = raw('GET /mirror HTTP/1.0\r\nKEY\r\n\r\n');
      expect((await connection.closed()).slice(0, 12)).toBe('HTTP/1.1 405');
      const large = raw('GET /large?bytes=100000 HTTP/1.0\r\nKEY\r\n\r\n');
      const text = await large.closed();
      expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('x'.repeat(100_000));
    });

    test('trailers are returned after the body', async () => {
      const connection = raw('GET /trailers HTTP/1.1\r\nKEY\r\nTE: trailers\r\n\r\n');
      const { body } = await connection.readResponse();
      connection.close();
      expect(body).toMatch(/^4\r\nbody\r\n0\r\nx-checksum: abc\r\n\r\n$/i);
    });

    test('an early hint is returned before the response', async () => {
      const connection = raw('GET /hints HTTP/1.1\r\nKEY\r\nConnection: close\r\n\r\n');
      expect(await connection.closed()).toMatch(
        /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/style\.css>; rel=preload\r\n\r\nHTTP\/1\.1 200 /i,
      );
    });

    test('a response body is streamed', async () => {
      const response = await gateway.call('/stream');
      const parts = response.body?.pipeThrough(new TextDecoderStream()).values();
      expect(await parts?.next()).toEqual({ done: false, value: 'first' });
      await gateway.call('/release', { method: 'POST' });
      expect(await parts?.next()).toEqual({ done: false, value: 'second' });
      expect((await parts?.next())?.done).toBe(true);
    });

    test('a chunked request body is streamed', async () => {
      const connection = raw('POST /mirror HTTP/1.1\r\nKEY\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
      expect(await connection.until(/hello/)).toMatch(/5\r\nhello\r\n$/);
      connection.send('5\r\nworld\r\n0\r\n\r\n');
      expect(await connection.until(/world\r\n0\r\n\r\n$/)).toMatch(/world\r\n0\r\n\r\n$/);
      connection.close();
    });

    test('the gateway responds to Expect: 100-continue, and then forwards the body', async () => {
      const connection = raw('POST /mirror HTTP/1.1\r\nKEY\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n');
      expect(await connection.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      expect(await connection.send('abc').until(/abc/)).toMatch(/HTTP\/1\.1 200 OK[^]*abc/);
      connection.close();
    });

    test('a service may respond without reading the body, and the connection is closed if the body is incomplete', async () => {
      const short = raw('POST /ignore HTTP/1.1\r\nKEY\r\nContent-Length: 5\r\n\r\nabcde');
      expect((await short.readResponse()).body).toBe('not read');
      const long = raw('POST /ignore HTTP/1.1\r\nKEY\r\nContent-Length: 200000\r\n\r\nabcde');
      const { head, body } = await long.readResponse();
      expect(body).toBe('not read');
      expect(head).toMatch(/^connection: close$/im);
      await long.send('x'.repeat(199_995)).closed();
      for (const connection of [short, long]) connection.close();
    });

    test('a failure of the service returns 500 before the response headers, and closes the connection after them', async () => {
      expect((await gateway.call('/throw')).status).toBe(500);
      const connection = raw('GET /throw-later HTTP/1.1\r\nKEY\r\n\r\n');
      const text = await connection.closed();
      connection.close();
      expect(text).toMatch(/^HTTP\/1\.1 200[^]*part$/);
    });

    test('the service notices that the consumer disconnected', async () => {
      const before = await left();
      const connection = raw('POST /hang HTTP/1.1\r\nKEY\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
      const waiting = raw('GET /hang HTTP/1.1\r\nKEY\r\n\r\n');
      // Wait until both requests have reached the service.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      connection.close();
      waiting.close();
      await until(async () => (await left()) === before + 2);
    });

    test('a body over the limit returns 413, whether its length is declared or not', async () => {
      const tooLarge = await gateway.call('/small', { method: 'POST', body: 'x'.repeat(1025) });
      expect(tooLarge.status).toBe(413);
      expect(await (await gateway.call('/small', { method: 'POST', body: 'x'.repeat(1024) })).text()).toBe('1024');
      const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
      const connection = raw(`POST /small HTTP/1.1\r\nKEY\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
      expect((await connection.send(chunk).readResponse()).status).toBe(413);
      await connection.closed();
      // The request is sent in one packet, so that the whole body arrives before it is counted.
      const atOnce = raw(`POST /small HTTP/1.1\r\nKEY\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`);
      expect((await atOnce.readResponse()).status).toBe(413);
      await atOnce.closed();
    });

    test('a response that does not begin in time returns 504', async () => {
      const response = await gateway.call('/hang/timed');
      expect(response.status).toBe(504);
      expect(await response.json()).toMatchObject({ code: 'upstream_timeout' });
      expect(response.headers.get('x-ratelimit-remaining')).not.toBeNull();
    });

    test('Node’s HTTP client can reuse its connection', async () => {
      const { hostname, port } = new URL(gateway.url);
      const status = await new Promise((resolve, reject) => {
        request({ hostname, port, path: '/headers', headers: { 'X-API-Key': gateway.demoKey } }, (response) => {
          response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]));
        })
          .on('error', reject)
          .end();
      });
      expect(status).toEqual([200, 'keep-alive']);
    });
  });
}
