/**
 * The attack (request smuggling): a proxy in front of the admin API or the portal parses a request differently from the
 * listener. The listener then takes the body of one person's request for the next request, and serves it with the
 * headers that the proxy adds. So the listener rejects an ambiguous request, and serves nothing after it on the
 * connection.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { RawConnection } from '../../support/raw.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { portal: { enabled: true } } });
});
afterAll(() => gateway.stop());

describe.each([
  ['admin', '/v1/plans'],
  ['portal', '/api/session'],
] as const)('the %s listener', (listener, path) => {
  const parseHost = (url: string) => new URL(url).host;
  const findUrl = () => (listener === 'admin' ? gateway.adminUrl : gateway.portalUrl);

  /** Sends the bytes and then another request on the same connection. */
  async function probe(bytes: string) {
    const host = `Host: ${parseHost(findUrl())}`;
    const following = `GET /behind HTTP/1.1\r\n${host}\r\n\r\n`;
    const connection = new RawConnection(findUrl());
    connection.send(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`);
    expect((await connection.readResponse()).status).toBeLessThan(500);
    connection.send(`${bytes.replace('PATH', path).replace('HOST', host)}${following}`);
    const { status, head, body } = await connection.readResponse();
    const rest = await connection.closed();
    connection.close();
    return { status, head, body, rest };
  }

  test.each([
    ['no Host', 'GET PATH HTTP/1.1\r\n\r\n'],
    ['an empty Host', 'GET PATH HTTP/1.1\r\nHost:\r\n\r\n'],
    ['two Host headers', 'GET PATH HTTP/1.1\r\nHOST\r\nHost: other.example\r\n\r\n'],
    ['a list of hosts in Host', 'GET PATH HTTP/1.1\r\nHost: x, y\r\n\r\n'],
    [
      'another coding before chunked',
      'POST PATH HTTP/1.1\r\nHOST\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two Transfer-Encoding headers',
      'POST PATH HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['chunked encoding in HTTP/1.0', 'POST PATH HTTP/1.0\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      'chunked encoding with Content-Length',
      'POST PATH HTTP/1.1\r\nHOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two Content-Length headers', 'POST PATH HTTP/1.1\r\nHOST\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.2', 'GET PATH HTTP/1.2\r\nHOST\r\n\r\n'],
  ])('rejects %s and serves nothing after it on the connection', async (_, bytes) => {
    const { status, head, body, rest } = await probe(bytes);
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'bad_request' }]);
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^x-request-id: .+$/im);
    expect(rest).toBe('');
  });

  test('treats an upgrade request like any other request and closes the connection after it', async () => {
    const { status, head, rest } = await probe(
      'GET PATH HTTP/1.1\r\nHOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(status).toBe(401);
    expect(head).toMatch(/^connection: close$/im);
    expect(rest).toBe('');
  });

  test('accepts HTTP/1.0 without a Host header, as simple health checks send it', async () => {
    const connection = new RawConnection(findUrl());
    connection.send(`GET ${path} HTTP/1.0\r\n\r\n`);
    expect((await connection.readResponse()).status).toBe(401);
    connection.close();
  });
});
