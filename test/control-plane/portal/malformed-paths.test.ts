/** A proxy that allows only some paths of the portal must see the same path as the portal. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { MALFORMED_PATH_ENDINGS } from '../../support/malformed-paths.ts';
import { RawConnection } from '../../support/raw.ts';

let portal: Portal;
let cookie = '';
beforeAll(async () => {
  portal = await startPortal();
  ({ cookie } = await portal.signInAs(await portal.account('acme')));
});
afterAll(() => portal.stop());

async function get(path: string, headers: string) {
  const connection = new RawConnection(portal.gateway.portalUrl);
  try {
    const { status, body } = await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`).readResponse();
    return { path, status, code: (JSON.parse(body) as { code: string }).code };
  } finally {
    connection.close();
  }
}

test.each(MALFORMED_PATH_ENDINGS)('a path with %s returns 400 in a session, and 401 without one', async (_, ending) => {
  for (const path of ['/api/keys', '/api/requests', '/api/webhooks/whk_1', '/unknown'].map((one) => one + ending)) {
    expect(await get(path, `Cookie: ${cookie}\r\n`)).toEqual({ path, status: 400, code: 'invalid_path' });
    expect(await get(path, '')).toEqual({ path, status: 401, code: 'sign_in_needed' });
  }
});
