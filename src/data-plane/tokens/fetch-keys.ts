import { Agent } from 'undici';
import { serverNames } from '../../base/host-names.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { SECOND_MS } from '../../base/time.ts';
import { isLoopback } from '../../http/addresses.ts';
import { readSigningKey, type SigningKey } from './signing-key.ts';

/** Time limit of a fetch: of the metadata and the keys together. */
const FETCH_MS = 5 * SECOND_MS;
const MAX_RESPONSE_BYTES = 1_000_000;
const MAX_KEYS = 100;

export interface KeyLocation {
  readonly issuer: string;
  /** Undefined: it is in the metadata of the issuer. */
  readonly jwksUri?: string | undefined;
}

/** The keys of an issuer could not be fetched. The message says why. It quotes nothing of the response but an issuer. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** The keys that an issuer publishes, and where they were found. */
export interface PublishedKeys {
  /** The address of the metadata; null if `jwksUri` is configured, so that none are read. */
  readonly metadataUrl: string | null;
  readonly jwksUri: string;
  /** The keys as the issuer sent them. */
  readonly keys: readonly unknown[];
}

/** Fetches are too rare to keep connections for them. */
const dispatcher = new Agent({ pipelining: 0, connect: { lookup: (...asked) => serverNames.lookup(...asked) } });

/** @throws KeysUnavailable (as a rejection), also if the fetch is aborted */
export async function fetchKeys(location: KeyLocation, abort: AbortSignal): Promise<SigningKey[]> {
  const { keys } = await fetchPublishedKeys(location, abort);
  const usable = keys.map(readSigningKey).filter((key) => typeof key !== 'string');
  // A key that is published twice is one key. Otherwise, a token would not say which of them signed it.
  return [...new Map(usable.map((key) => [key.identity, key])).values()];
}

/** @throws KeysUnavailable (as a rejection), also if the fetch is aborted */
export async function fetchPublishedKeys({ issuer, jwksUri }: KeyLocation, abort: AbortSignal): Promise<PublishedKeys> {
  const signal = AbortSignal.any([abort, AbortSignal.timeout(FETCH_MS)]);
  const place = jwksUri === undefined ? await findKeySet(issuer, signal) : { metadataUrl: null, jwksUri };
  const { keys } = await fetchJson(place.jwksUri, signal);
  if (!Array.isArray(keys)) throw new KeysUnavailable(`${place.jwksUri} has no list of keys`);
  if (keys.length > MAX_KEYS) throw new KeysUnavailable(`${place.jwksUri} has more than ${MAX_KEYS} keys`);
  return { ...place, keys };
}

/** Reads `jwks_uri` from the metadata: OpenID Connect Discovery 1.0, section 4, or else RFC 8414, section 3. */
async function findKeySet(issuer: string, signal: AbortSignal): Promise<Omit<PublishedKeys, 'keys'>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const faults: KeysUnavailable[] = [];
  for (const metadataUrl of [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]) {
    try {
      return { metadataUrl, jwksUri: readKeySetUri(issuer, metadataUrl, await fetchJson(metadataUrl, signal)) };
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      faults.push(error);
    }
  }
  throw new KeysUnavailable(faults.map(({ message }) => message).join('; '), { cause: faults.at(-1)?.cause });
}

/** An issuer that may be quoted: one that could be configured. */
const QUOTABLE_ISSUER = /^[!-~]{1,500}$/;

function readKeySetUri(issuer: string, url: string, metadata: JsonObject): string {
  const { issuer: named, jwks_uri: uri } = metadata;
  if (named !== issuer) {
    const isQuotable = typeof named === 'string' && QUOTABLE_ISSUER.test(named);
    throw new KeysUnavailable(`${url} is the metadata of another issuer${isQuotable ? `, ${named}` : ''}`);
  }
  if (typeof uri !== 'string' || !isAllowed(uri, issuer)) {
    throw new KeysUnavailable(`${url} has no jwks_uri with https`);
  }
  return uri;
}

/** An address that may be logged. */
const PRINTABLE_URL = /^[!-~]{1,2000}$/;

/** HTTP is only for issuers on this machine: a remote issuer must not send the gateway to a local service. */
function isAllowed(uri: string, issuer: string): boolean {
  if (!PRINTABLE_URL.test(uri) || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (url.username + url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(new URL(issuer).hostname);
}

async function fetchJson(url: string, signal: AbortSignal): Promise<JsonObject> {
  const bytes = await fetchBytes(url, signal);
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(value)) return value;
  } catch {
    // The text is not quoted, because it may be anything.
  }
  throw new KeysUnavailable(`${url} is not a JSON object`);
}

/** Does not follow redirects: only the configured issuer is trusted. */
async function fetchBytes(address: string, signal: AbortSignal): Promise<Buffer> {
  const { origin, pathname, search } = new URL(address);
  try {
    const headers = { accept: 'application/json', 'user-agent': 'tollgate' };
    const response = await dispatcher.request({ origin, path: pathname + search, method: 'GET', headers, signal });
    const { statusCode, body } = response;
    body.on('error', () => undefined);
    if (statusCode !== 200) {
      body.destroy();
      const isRedirect = statusCode >= 300 && statusCode < 400;
      const consequence = isRedirect ? ', and redirects are not followed' : '';
      throw new KeysUnavailable(`${address} responded with status ${statusCode}${consequence}`);
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) throw new KeysUnavailable(`${address} sent more than 1 MB`);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof KeysUnavailable) throw error;
    if (signal.aborted) throw new KeysUnavailable(`${address} did not respond within ${FETCH_MS / SECOND_MS} seconds`);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new KeysUnavailable(`${address} could not be read (${code ?? message})`, { cause: error });
  }
}
