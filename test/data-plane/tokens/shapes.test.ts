/**
 * The shapes of access tokens as identity providers document them (`cases/claims.json`, written for this project). A
 * token of each shape is accepted or refused as the file says, with the configuration in docs/operators/tokens.md for
 * its provider.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { parse } from 'yaml';
import { readDocument } from '../../support/documents.ts';
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

/** The value that names the caller, for each accepted shape. */
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

type Entry = Readonly<Record<string, unknown>> & { readonly name: string; readonly issuer: string };

/** The entries that the document shows for each provider, with words in capitals as placeholders. */
const documented = [...readDocument('docs/operators/tokens.md').matchAll(/^```yaml\n([^]*?)^```/gm)].flatMap(
  ([, text = '']) => {
    return (parse(text) as { tokens?: Entry[] }).tokens ?? [];
  },
);

function isDocumentedAs({ issuer }: Entry, iss: string): boolean {
  const pattern = issuer.split(/[A-Z_]{4,}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${pattern.join('[^/]+')}$`).test(iss.replace('/auth/realms/', '/realms/'));
}

const key = createIssuerKey('RS256', 'one');
let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const issuers = [...new Set(Object.values(shapes).map(({ claims }) => claims.iss))];
  const tokens = issuers.map((iss, index) => {
    const entry = documented.find((each) => isDocumentedAs(each, iss)) ?? { audience: ['https://api.example.com'] };
    return { ...entry, name: `issuer-${index}`, issuer: iss, jwksUri: `${issuer.url}/jwks` };
  });
  gateway = await startTokenGateway(tokens);
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

test.each(Object.keys(shapes))(
  'a token of the shape %s is accepted or refused as the file of shapes says',
  async (name) => {
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
  },
);

test('the documentation has a configuration for the provider of each accepted shape', () => {
  for (const name of Object.keys(NAMES)) {
    const { iss } = shapes[name]!.claims;
    expect([name, documented.some((each) => isDocumentedAs(each, iss))]).toEqual([name, true]);
  }
  expect(documented.length).toBeGreaterThan(8);
});
