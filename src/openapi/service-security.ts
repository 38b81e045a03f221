import { isObject, type JsonObject } from '../base/json.ts';
import { partAt } from './pointer.ts';

/** Names of the published schemes of the gateway: its key, and the access token that may be sent instead. */
const GATEWAY_SCHEME = 'ApiKey';
export const TOKEN_SCHEME = 'AccessToken';
/** Requirements of what only a key can do. */
export const KEY_REQUIREMENTS: readonly JsonObject[] = [{ [GATEWAY_SCHEME]: [] }];

/** The security of calls to the gateway: its schemes, and the requirements of operations. */
export interface GatewaySecurity {
  readonly acceptsTokens: boolean;
  /** Whether the scopes of tokens are enforced for any service. */
  readonly enforcesScopes: boolean;
  readonly schemes: JsonObject;
  readonly requirements: readonly JsonObject[];
  /** The requirements of an operation that works with or without key and token. */
  readonly optional: readonly JsonObject[];
}

/**
 * Generators of clients can send a bearer token. They ignore `openIdConnect`, which also has no place for several
 * issuers.
 *
 * @param tokenIssuers the issuers whose access tokens are accepted
 */
export function createGatewaySecurity(tokenIssuers: readonly string[], enforcesScopes: boolean): GatewaySecurity {
  const acceptsTokens = tokenIssuers.length > 0;
  const description = `An access token for this API (a JWT) that was issued by ${tokenIssuers.join(' or ')}.`;
  const key = { [GATEWAY_SCHEME]: { type: 'apiKey', in: 'header', name: 'X-API-Key' } };
  const token = { [TOKEN_SCHEME]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description } };
  const requirements = acceptsTokens ? [...KEY_REQUIREMENTS, { [TOKEN_SCHEME]: [] }] : KEY_REQUIREMENTS;
  return {
    acceptsTokens,
    enforcesScopes,
    schemes: acceptsTokens ? { ...key, ...token } : key,
    requirements,
    optional: [{}, ...requirements],
  };
}

interface ServiceSecurityOptions {
  /** Prefix of the published names. */
  readonly prefix: string;
  /** Headers that consumers cannot send to the service, because the gateway sends them itself or reserves them for keys. */
  readonly headers: Readonly<Record<string, string>>;
  readonly gateway: GatewaySecurity;
}

/** The security schemes of a service: credentials that consumers send in addition to the gateway's key. */
export class ServiceSecurity {
  readonly #document: JsonObject;
  readonly #prefix: string;
  readonly #gateway: GatewaySecurity;
  readonly #notForConsumers: ReadonlySet<string>;
  /** Published requirements by the list in the document, because thousands of operations may share one list. */
  readonly #known = new Map<unknown, readonly JsonObject[] | undefined>();
  /** The schemes that `requirementsOf` has named, by their published names. */
  readonly schemes: Record<string, unknown> = {};

  constructor(document: JsonObject, { prefix, headers, gateway }: ServiceSecurityOptions) {
    this.#document = document;
    this.#prefix = prefix;
    this.#gateway = gateway;
    this.#notForConsumers = new Set(['x-api-key', ...Object.keys(headers).map((name) => name.toLowerCase())]);
  }

  /** The published requirements of an operation that needs a key; undefined if the gateway's key or token is all it needs. */
  requirementsOf({ security = this.#document['security'] }: JsonObject): readonly JsonObject[] | undefined {
    if (!this.#known.has(security)) this.#known.set(security, this.#publishedRequirements(security));
    return this.#known.get(security);
  }

  #publishedRequirements(security: unknown): readonly JsonObject[] | undefined {
    const requirements = Array.isArray(security) ? (security as unknown[]) : [];
    const withKey = requirements.map((each) => ({ [GATEWAY_SCHEME]: [], ...this.#published(each) }));
    const withToken = this.#gateway.acceptsTokens ? requirements.flatMap((each) => this.#publishedWithToken(each)) : [];
    const published: JsonObject[] = [...withKey, ...withToken];
    if (published.every((each) => Object.keys(each).length === 1 && Object.values(each).flat().length === 0)) {
      return undefined;
    }
    return [...new Map(published.map((each) => [JSON.stringify(each), each])).values()];
  }

  /**
   * The requirement of a call with an access token, which takes the place of the service's own bearer token. The scopes
   * of OAuth stay with the token.
   *
   * @returns an empty list if the service needs another credential in the same header
   */
  #publishedWithToken(requirement: unknown): JsonObject[] {
    const scopes: unknown[] = [];
    const others: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(isObject(requirement) ? requirement : {})) {
      const scheme = this.#findScheme(name);
      if (scheme === undefined || scheme['type'] === 'mutualTLS') continue;
      if (scheme['type'] === 'apiKey') {
        const isTaken = scheme['in'] === 'header' && String(scheme['name']).toLowerCase() === 'authorization';
        if (!this.#isSentByConsumers(scheme)) continue;
        if (isTaken) return [];
        others[this.#publishedName(name)] = value;
      } else if (scheme['type'] !== 'http') {
        scopes.push(...(Array.isArray(value) ? (value as unknown[]) : []));
      } else if (String(scheme['scheme']).toLowerCase() !== 'bearer' && this.#isSentByConsumers(scheme)) {
        return [];
      }
    }
    return [{ [TOKEN_SCHEME]: scopes, ...others }];
  }

  /** A requirement without the credentials that consumers do not send. */
  #published(requirement: unknown): JsonObject {
    const published: Record<string, unknown> = {};
    for (const [name, scopes] of Object.entries(isObject(requirement) ? requirement : {})) {
      const scheme = this.#findScheme(name);
      if (scheme === undefined || !this.#isSentByConsumers(scheme)) continue;
      const publishedName = this.#publishedName(name);
      this.schemes[publishedName] = scheme;
      published[publishedName] = scopes;
    }
    return published;
  }

  #findScheme(name: string): JsonObject | undefined {
    return partAt(this.#document, ['components', 'securitySchemes', name])?.value;
  }

  #publishedName(name: string): string {
    const isTaken = this.#prefix === '' && (name === GATEWAY_SCHEME || name === TOKEN_SCHEME);
    return isTaken ? `Service${name}` : this.#prefix + name;
  }

  /**
   * Whether consumers send the credential. The gateway itself presents client certificates, and it replaces or reserves
   * some headers.
   */
  #isSentByConsumers(scheme: JsonObject): boolean {
    if (scheme['type'] === 'mutualTLS') return false;
    if (scheme['type'] !== 'apiKey') return !this.#notForConsumers.has('authorization');
    return scheme['in'] !== 'header' || !this.#notForConsumers.has(String(scheme['name']).toLowerCase());
  }
}
