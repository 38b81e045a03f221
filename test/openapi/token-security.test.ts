/** If issuers are configured, the document for consumers lists the access token as an alternative to the key. */
import { describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readEndpointsDocument } from '../../src/control-plane/gateway-endpoints/endpoint-handlers.ts';
import { PublicDocuments, publicDocument } from '../../src/openapi/public-document.ts';
import { NO_DOCUMENT } from '../../src/openapi/upstream-document.ts';

const ISSUERS = ['https://login.example.com', 'https://sts.example.com/'];
const KEY = { ApiKey: [] };
const TOKEN = { AccessToken: [] };

interface Document {
  readonly security: object[];
  readonly paths: Record<string, Record<string, { security?: object[]; responses: Record<string, { $ref: string }> }>>;
  readonly components: {
    readonly securitySchemes: Record<string, object>;
    readonly responses: Record<string, { description: string }>;
  };
}

const http = (scheme: string) => ({ type: 'http', scheme });
const apiKey = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
const securitySchemes = {
  bearer: http('bearer'),
  basic: http('basic'),
  oauth: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://sts.example.com/', scopes: { read: '', write: '' } } },
  },
  login: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example.com' },
  session: apiKey('cookie', 'session'),
  raw: apiKey('header', 'Authorization'),
  AccessToken: apiKey('query', 'token'),
  certificate: { type: 'mutualTLS' },
};

function serviceWith(requirements: Record<string, object[]>, headers: Record<string, string> = {}) {
  const responses = { 200: { description: 'ok' } };
  const paths = Object.fromEntries(
    Object.entries(requirements).map(([path, security]) => [path, { get: { responses, security } }]),
  );
  const info = { title: 'API', version: '1' };
  return {
    name: 'a',
    headers,
    document: { ...NO_DOCUMENT, value: { openapi: '3.1.0', info, paths, components: { securitySchemes } } },
  };
}

async function publish(service: ReturnType<typeof serviceWith>, issuers: readonly string[] = ISSUERS) {
  return (await publicDocument([service], readEndpointsDocument(), issuers)) as unknown as Document;
}

const findSecurity = (document: Document, path: string) => document.paths[path]?.['get']?.security;

test('the key and the token are published as alternatives, and the token scheme names the issuers', async () => {
  const document = await publish(serviceWith({ '/public': [] }));
  expect(document.security).toEqual([KEY, TOKEN]);
  expect(document.components.securitySchemes).toEqual({
    ApiKey: apiKey('header', 'X-API-Key'),
    AccessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'An access token for this API (a JWT) that was issued by https://login.example.com or https://sts.example.com/.',
    },
  });
  expect(findSecurity(document, '/public')).toEqual([{}, KEY, TOKEN]);
});

test('only a call with a key can use the operation that revokes a key', async () => {
  const document = await publish(serviceWith({}));
  expect(document.paths['/_gateway/key/revoke']?.['post']?.security).toEqual([KEY]);
  expect(findSecurity(document, '/_gateway/usage')).toBeUndefined();
});

test('without issuers, no part of the document mentions tokens', async () => {
  const document = await publish(serviceWith({ '/public': [], '/a': [{ bearer: [] }] }), []);
  expect(document.security).toEqual([KEY]);
  expect(Object.keys(document.components.securitySchemes)).toEqual(['ApiKey', 'bearer']);
  expect([findSecurity(document, '/public'), findSecurity(document, '/a')]).toEqual([
    [{}, KEY],
    [{ ...KEY, bearer: [] }],
  ]);
  const { responses } = document.components;
  expect(JSON.stringify(responses).match(/AccessToken|token_\w+|caller_unknown|access token/)).toBeNull();
});

describe('credentials of a service', () => {
  test('that are bearer tokens are published as the access token, with its scopes', async () => {
    const document = await publish(
      serviceWith({
        '/bearer': [{ bearer: [] }],
        '/oauth': [{ oauth: ['read'] }, { oauth: ['write'], session: [] }],
        '/login': [{ login: ['openid'], certificate: [] }],
        '/optional': [{}, { oauth: ['read'] }],
      }),
    );
    expect(findSecurity(document, '/bearer')).toEqual([{ ...KEY, bearer: [] }, TOKEN]);
    expect(findSecurity(document, '/oauth')).toEqual([
      { ...KEY, oauth: ['read'] },
      { ...KEY, oauth: ['write'], session: [] },
      { AccessToken: ['read'] },
      { AccessToken: ['write'], session: [] },
    ]);
    expect(findSecurity(document, '/login')).toEqual([{ ...KEY, login: ['openid'] }, { AccessToken: ['openid'] }]);
    expect(findSecurity(document, '/optional')).toEqual([
      KEY,
      { ...KEY, oauth: ['read'] },
      TOKEN,
      { AccessToken: ['read'] },
    ]);
    // Calls with a key still need the service's own schemes.
    expect(document.components.securitySchemes).toMatchObject({ oauth: { type: 'oauth2' }, login: {} });
  });

  test('that need the same header leave only the key as an alternative', async () => {
    const document = await publish(serviceWith({ '/basic': [{ basic: [] }, { session: [] }], '/raw': [{ raw: [] }] }));
    expect(findSecurity(document, '/basic')).toEqual([
      { ...KEY, basic: [] },
      { ...KEY, session: [] },
      { ...TOKEN, session: [] },
    ]);
    expect(findSecurity(document, '/raw')).toEqual([{ ...KEY, raw: [] }]);
  });

  test('that the gateway sends are left out, but their scopes are kept', async () => {
    const security = { '/basic': [{ basic: [] }], '/oauth': [{ oauth: ['read'] }], '/raw': [{ raw: [] }] };
    const document = await publish(serviceWith(security, { authorization: 'Basic abc' }));
    expect(findSecurity(document, '/basic')).toBeUndefined();
    expect(findSecurity(document, '/raw')).toBeUndefined();
    expect(findSecurity(document, '/oauth')).toEqual([KEY, { AccessToken: ['read'] }]);
  });

  test("that have the same name as the gateway's scheme are renamed", async () => {
    const document = await publish(serviceWith({ '/a': [{ AccessToken: [] }] }));
    expect(findSecurity(document, '/a')).toEqual([
      { ...KEY, ServiceAccessToken: [] },
      { ...TOKEN, ServiceAccessToken: [] },
    ]);
    // The scheme keeps its name after a reload that adds the first issuer.
    const before = await publish(serviceWith({ '/a': [{ AccessToken: [] }] }), []);
    expect(findSecurity(before, '/a')).toEqual([{ ...KEY, ServiceAccessToken: [] }]);
  });
});

test('the published responses list the error codes of tokens', async () => {
  const service = serviceWith({ '/a': [{ oauth: ['read'] }], '/public': [] });
  const document = await publish(service);
  const describe = (path: string, status: number) => {
    const { $ref } = document.paths[path]?.['get']?.responses[status] ?? { $ref: '' };
    return document.components.responses[$ref.split('/').at(-1) ?? '']?.description;
  };
  for (const path of ['/a', '/public', '/_gateway/usage']) {
    expect(describe(path, 401)).toMatch(
      /^The API key or access token is missing[^]*`token_invalid`[^]*`token_expired`/,
    );
    expect(describe(path, 403)).toContain('`caller_unknown`');
    expect(describe(path, 503)).toContain('`token_keys_unavailable`');
    expect(describe(path, 403)).not.toContain('`insufficient_scope`');
  }
  const enforced = await publish({ ...service, scopes: 'enforce' } as never);
  expect(enforced.components.responses['GatewayNotAllowed']?.description).toContain('`insufficient_scope`');
});

test('the document with token security is valid OpenAPI', async () => {
  const service = serviceWith({ '/a': [{ oauth: ['read'], session: [] }], '/b': [{ bearer: [] }], '/public': [] });
  const source = JSON.stringify(await publish(service));
  const config = await createConfig({
    rules: { struct: 'error', 'no-unresolved-refs': 'error', 'security-defined': 'error' },
  });
  expect((await lintFromString({ source, config })).map(({ message }) => message)).toEqual([]);
});

test('a reload creates a new document only if it changes the issuers', async () => {
  const documents = new PublicDocuments(readEndpointsDocument());
  const service = serviceWith({});
  const first = await documents.of([service], ISSUERS);
  expect(await documents.of([service], [...ISSUERS])).toBe(first);
  expect(await documents.of([service], [])).not.toBe(first);
});
