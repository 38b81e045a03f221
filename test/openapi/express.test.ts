import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { root, type TestGateway } from '../support/gateway/gateway.ts';
import { contractDocument, startGatewayWithUpstreams } from '../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../support/raw.ts';

describe('a module that is an Express app', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const module = join(root, 'test/support/services/express-service.ts');
    gateway = await startGatewayWithUpstreams([{ name: 'express', openapi: contractDocument, module }]);
  });
  afterAll(() => gateway.stop());

  test.each([
    ['json', '/echo', 200],
    ['send', '/headers', 201],
    ['sendStatus', '/status/404', 404],
    ['a default response of Express', '/large', 404],
  ])("cannot overwrite the gateway's headers: %s", async (_by, path, status) => {
    const { headers, ...response } = await gateway.call(path).then(({ headers, status }) => ({ headers, status }));
    expect(response.status).toBe(status);
    expect(headers.get('x-early')).toBe('kept');
    expect(headers.get('x-ratelimit-limit')).toBe('1000000');
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(100);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  // Headers that Node had accepted before the error once stayed on the response, so the 500 failed or had no body.
  test.each(['reason', 'trailer', 'coding'])(
    'gets a complete 500 response if it sets headers that Node rejects: %s',
    async (kind) => {
      const connection = new RawConnection(gateway.url);
      for (let call = 0; call < 2; call++) {
        connection.send(`GET /echo/${kind} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\n\r\n`);
        const { status, head, body } = await connection.readResponse();
        expect([status, head]).toEqual([500, expect.stringMatching(/^x-ratelimit-limit: 1000000$/im)]);
        // The page comes from Express, which catches the exceptions of handlers.
        expect(body).toMatch(/<title>Error<\/title>[^]*<\/html>\n$/);
      }
      connection.close();
    },
  );

  test('can send another response after Node rejected its first headers', async () => {
    const { status, headers } = await gateway.call('/echo/again');
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '1000000']);
  });

  test('keeps its own headers, each line of a repeated one, and its ETag', async () => {
    const { headers } = await gateway.call('/echo');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('etag')).toMatch(/^W\//);
    const etag = headers.get('etag') ?? '';
    expect((await gateway.call('/headers', { headers: { 'If-None-Match': etag } })).status).toBe(201);
  });

  test('sees the caller, but not the key', async () => {
    const response = await gateway.call(`/echo?key=${gateway.demoKey}`);
    const { url, headers } = (await response.json()) as { url: string; headers: Record<string, string> };
    expect(url).toBe('/echo?key=tg_live_redacted');
    expect(headers['x-consumer-id']).toBe('demo');
    expect(JSON.stringify(headers)).not.toContain('tg_live_');
  });
});
