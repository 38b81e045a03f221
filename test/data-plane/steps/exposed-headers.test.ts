/** A script may read the gateway's headers, the headers in `cors.expose`, and the headers that the service exposes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SubprotocolGateway, startSubprotocolGateway } from '../../support/gateway/subprotocol-gateway.ts';

const app = 'https://app.example.com';
const EXPOSED = 'access-control-expose-headers';

let gateway: SubprotocolGateway;
let off: SubprotocolGateway;

beforeAll(async () => {
  gateway = await startSubprotocolGateway({ cors: { origins: [app], expose: ['etag', 'location', 'retry-after'] } });
  off = await startSubprotocolGateway();
});
afterAll(async () => {
  await gateway.stop();
  await off.stop();
});

const ask = (to: SubprotocolGateway, path: string, headers: Record<string, string> = { Origin: app }) =>
  to.call(path, { headers });

describe.each(['/http', '/module'])('a response of a service at %s exposes', (prefix) => {
  test('the gateway’s headers and the configured headers, each once', async () => {
    const names = (await ask(gateway, `${prefix}/plain`)).headers.get(EXPOSED)?.split(', ') ?? [];
    expect(names.slice(-3)).toEqual(['X-Key-Expires', 'X-Request-Id', 'location']);
    expect(names.filter((name) => /^(?:retry-after|etag)$/i.test(name))).toEqual(['Retry-After', 'ETag']);
  });

  test('the headers that the service exposes, in one line, without invalid names', async () => {
    const query = 'expose=ETAG,X-Total&expose=%22quoted%22,,X-Seen,a%20b';
    const exposed = (await ask(gateway, `${prefix}/plain?${query}`)).headers.get(EXPOSED);
    expect(exposed).toMatch(/^X-RateLimit-Limit, .*, X-Request-Id, location, X-Total, X-Seen$/);
    expect((await ask(gateway, `${prefix}/plain?expose=*`)).headers.get(EXPOSED)).toMatch(/, location, \*$/);
  });

  test('nothing to other origins', async () => {
    for (const headers of [{ Origin: 'https://evil.example' }, { 'X-Request-Id': 'Access-Control-Expose-Headers' }]) {
      const response = await ask(gateway, `${prefix}/plain?expose=X-Total`, headers);
      expect([response.headers.get(EXPOSED), response.headers.get('x-total')]).toEqual([null, '7']);
    }
  });

  test('the headers that the service exposes, if the gateway does not handle CORS', async () => {
    expect((await ask(off, `${prefix}/plain?expose=X-Total`)).headers.get(EXPOSED)).toBe('X-Total');
  });
});

test('refusals and preflight responses expose the configured headers, too', async () => {
  expect((await ask(gateway, '/nowhere')).headers.get(EXPOSED)).toMatch(/, X-Request-Id, location$/);
  const asked = { Origin: app, 'Access-Control-Request-Method': 'GET' };
  const preflight = await gateway.call('/http/plain', { method: 'OPTIONS', key: null, headers: asked });
  expect(preflight.headers.get(EXPOSED)).toMatch(/, X-Request-Id, location$/);
});
