/** The documented examples about scopes work as the documentation says. */
import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { splitSections } from '../../../web/portal/markdown/sections.ts';
import { readDocument } from '../../support/documents.ts';
import { runCommand } from '../../support/gateway/cli.ts';
import { root, startTestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken } from '../../support/gateway/token-gateway.ts';
import { createIssuerKey, signToken, startTokenIssuer } from '../../support/servers/token-issuer.ts';
import { serveHttp } from '../../support/services/http-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

function readSection(file: string, section: string): string {
  return splitSections(readDocument(file)).get(section) ?? '';
}

/** The first example in YAML of a section. */
function readYaml(section: string): unknown {
  return parse(/```yaml\n([^]*?)```/.exec(section)?.[1] ?? '');
}

test('a token needs the scopes of the documented example, and the refusal is the documented one', async () => {
  const folder = temporaryDirectory();
  const parcels = readYaml(readSection('docs/upstream-teams.md', 'Require scopes of access tokens')) as object;
  const openapi = join(folder, 'parcels.openapi.yaml');
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'Parcels', version: '1' }, ...parcels }));
  const section = readSection('docs/operators/tokens.md', 'Scopes');
  const { upstreams } = readYaml(section) as { upstreams: object[] };
  const [, head = '', body = ''] = /^(HTTP[^]*?)\n\n(.*)\n```/m.exec(section) ?? [];

  const key = createIssuerKey('ES256', 'one');
  const issuer = await startTokenIssuer([key.jwk]);
  const service = await serveHttp((_, res) => res.end('parcels'));
  const api = 'https://api.example.com';
  const settings = {
    upstreams: [{ ...upstreams[0], openapi, targets: [service.url] }],
    tokens: [{ name: 'corp', issuer: issuer.url, audience: [api] }],
    portal: { apiUrl: api },
  };
  const gateway = await startTestGateway({ settings });
  const call = (scope: string, method = 'GET') => {
    const exp = Math.floor(Date.now() / 1000) + 300;
    const token = signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: api, azp: 'app', exp, scope });
    const headers = { authorization: `Bearer ${token}` };
    return method === 'GET'
      ? callWithToken(gateway, token, {}, { path: '/parcels' })
      : gateway.call('/parcels', { key: null, method, headers });
  };
  expect((await call('parcels:read')).status).toBe(200);
  expect((await call('parcels:read parcels:write', 'POST')).status).toBe(200);
  expect((await call('parcels:admin', 'POST')).status).toBe(200);
  expect((await call('parcels:write', 'POST')).status).toBe(403);
  const refused = await call('parcels:write');
  expect([refused.status, await refused.text()]).toEqual([403, body]);
  expect(head.split('\n')).toContain(`WWW-Authenticate: ${refused.headers.get('www-authenticate')}`);

  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify({ plans: join(root, 'config/plans.yaml'), ...settings }));
  const { out } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: file } });
  expect(out).toMatch(/^GET +\/parcels +parcels scopes: parcels:read$/m);
  expect(out).toMatch(/^POST +\/parcels +parcels scopes: parcels:read parcels:write or parcels:admin$/m);
  await gateway.stop();
  issuer.stop();
  await service.close();
});
