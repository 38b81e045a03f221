import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A key pair of an issuer. `jwk` is the public part, in the form in which the issuer publishes it. */
export interface IssuerKey {
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>> & { readonly kid?: string };
}

/**
 * Creates a key pair.
 *
 * @param more fields of the published key; undefined fields are left out
 */
export function createIssuerKey(alg: string, kid: string | undefined, more: object = {}, rsaBits = 2048): IssuerKey {
  const pair = /^[RP]S/.test(alg)
    ? generateKeyPairSync('rsa', { modulusLength: rsaBits })
    : alg.startsWith('ES')
      ? generateKeyPairSync('ec', { namedCurve: { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[alg] ?? '' })
      : generateKeyPairSync('ed25519');
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig', ...more };
  return { alg, privateKey: pair.privateKey, jwk: JSON.parse(JSON.stringify(jwk)) as IssuerKey['jwk'] };
}

export const encode = (part: unknown) => {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
};

/** Signs any text or object, even with a header that no library would write. */
export function signToken(key: Pick<IssuerKey, 'alg' | 'privateKey'>, header: unknown, claims: unknown): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signature(key, input)}`;
}

function signature({ alg, privateKey }: Pick<IssuerKey, 'alg' | 'privateKey'>, input: string): string {
  const data = Buffer.from(input);
  const digest = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  const options = alg.startsWith('PS')
    ? { key: privateKey, padding: 6, saltLength: Number(alg.slice(2)) / 8 }
    : { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
  return sign(digest, data, options).toString('base64url');
}

/**
 * Signs a token with HMAC.
 *
 * @param secret the key of the HMAC
 */
export function signWithHmac(secret: string | Buffer, header: object, claims: object): string {
  const input = `${encode({ alg: 'HS256', ...header })}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** An issuer of access tokens. It is an HTTP server that serves metadata and keys. */
export interface TokenIssuerServer {
  readonly url: string;
  /** The keys that the issuer publishes. */
  keys: readonly object[];
  /** Further sets of keys, by path. */
  others: Readonly<Record<string, readonly object[]>>;
  /** A listener that handles requests instead of the issuer. Null if the issuer does. */
  instead: RequestListener | null;
  /** The paths that were requested. */
  readonly asked: string[];
  stop(): void;
}

/**
 * Starts an issuer.
 *
 * @param metadataPath the path of the metadata
 */
export async function startTokenIssuer(
  keys: readonly object[],
  metadataPath = '/.well-known/openid-configuration',
): Promise<TokenIssuerServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TokenIssuerServer = {
    url,
    keys,
    others: {},
    instead: null,
    asked: [],
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on('request', (req, res) => {
    state.asked.push(req.url ?? '');
    if (state.instead !== null) return state.instead(req, res);
    const json = { 'content-type': 'application/json' };
    if (req.url === metadataPath)
      res.writeHead(200, json).end(JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks` }));
    else {
      const published = req.url === '/jwks' ? state.keys : state.others[req.url ?? ''];
      if (published === undefined) res.writeHead(404).end();
      else res.writeHead(200, json).end(JSON.stringify({ keys: published }));
    }
  });
  return state;
}
