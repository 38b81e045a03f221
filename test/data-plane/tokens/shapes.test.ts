/**
 * The shapes of access tokens as identity providers document them (`cases/claims.json`, written for this project). Each
 * is accepted or refused as the file says.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';

interface Shape {
  readonly expect?: 'refused';
  readonly needs?: string;
  readonly header?: object;
  readonly claims: Record<string, unknown> & { readonly iss: string };
}

const { about, ...shapes } = JSON.parse(readFileSync(join(import.meta.dirname, 'cases/claims.json'), 'utf8')) as {
  about: string;
} & Record<string, Shape>;

/** The claim that names the caller, where it is none of the defaults, as docs/operators/tokens.md says. */
const CALLERS: Record<string, string[]> = { okta: ['cid'], 'entra-v1-application': ['appid'] };

/** The value that names the caller of each shape that is accepted. */
const NAMES: Record<string, string> = {
  auth0: 'my_client_id',
  'auth0-client-credentials': 'my_client_id',
  okta: '0oa1client',
  'entra-v2': '6e74172b-0000-0000-0000-000000000001',
  'entra-v1-application': '6e74172b-0000-0000-0000-000000000001',
  keycloak: 'shop',
  'keycloak-old-with-nonce': 'shop',
  'cognito-access': 'xxxxxxxxxxxxexample',
  'rfc9068-example': 's6BhdRkqt3_',
};

const AUDIENCES = [
  'https://api.example.com',
  'api://default',
  '6e74172b-be56-4843-9ff4-e66a39bb12e3',
  'api://6e74172b',
  'api',
  'https://rs.example.com/',
];

const key = createIssuerKey('RS256', 'one');
let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const byIssuer = new Map(Object.entries(shapes).map(([name, { claims }]) => [claims.iss, name]));
  const tokens = [...byIssuer].map(([iss, name]) => {
    const isCognito = name.startsWith('cognito');
    return {
      name,
      issuer: iss,
      audience: isCognito ? ['xxxxxxxxxxxxexample'] : AUDIENCES,
      jwksUri: `${issuer.url}/jwks`,
      ...(isCognito ? { audienceClaim: 'client_id' } : {}),
      ...(CALLERS[name] === undefined ? {} : { caller: CALLERS[name] }),
    };
  });
  gateway = await startTokenGateway(tokens);
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

test.each(Object.keys(shapes))('the shape %s is accepted or refused as the file says', async (name) => {
  const { header, claims, expect: expected } = shapes[name] as Shape;
  const now = Math.floor(Date.now() / 1000);
  const times = Object.fromEntries(
    Object.entries(claims)
      .filter(([, value]) => value === 0)
      .map(([claim]) => [claim, claim === 'exp' ? now + 300 : now]),
  );
  const token = signToken(key, { alg: 'RS256', kid: 'one', ...header }, { ...claims, ...times });
  const response = await callWithToken(gateway, token);
  const body = (await response.json()) as { code?: string; headers?: Record<string, string> };
  const isRefused = expected === 'refused' || NAMES[name] === undefined;
  expect([response.status, body.code]).toEqual(isRefused ? [401, 'token_invalid'] : [200, undefined]);
  if (!isRefused) expect(body.headers?.['x-consumer-id']).toMatch(new RegExp(`:${NAMES[name]}$`));
});
