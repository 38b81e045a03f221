import { isObject, type JsonObject } from '../base/json.ts';
import { partAt } from './pointer.ts';

/** Name of the published scheme of the gateway's key. */
const GATEWAY_SCHEME = 'ApiKey';
export const GATEWAY_SCHEMES = { [GATEWAY_SCHEME]: { type: 'apiKey', in: 'header', name: 'X-API-Key' } };
export const GATEWAY_REQUIREMENTS = [{ [GATEWAY_SCHEME]: [] }];
/** The security requirements of an operation that works with or without the gateway's key. */
export const KEY_OPTIONAL = [{}, ...GATEWAY_REQUIREMENTS];

/** The security schemes of a service: credentials that consumers send in addition to the gateway's key. */
export class ServiceSecurity {
  readonly #document: JsonObject;
  readonly #prefix: string;
  readonly #notForConsumers: ReadonlySet<string>;
  /** Published requirements by the list in the document, because thousands of operations may share one list. */
  readonly #known = new Map<unknown, readonly JsonObject[] | undefined>();
  /** The schemes that `requirementsOf` has named, by their published names. */
  readonly schemes: Record<string, unknown> = {};

  /**
   * @param document of the service
   * @param prefix of the published names
   * @param headers that consumers cannot send to the service, because the gateway sends them itself or reserves them
   *   for keys
   */
  constructor(document: JsonObject, prefix: string, headers: Readonly<Record<string, string>>) {
    this.#document = document;
    this.#prefix = prefix;
    this.#notForConsumers = new Set(['x-api-key', ...Object.keys(headers).map((name) => name.toLowerCase())]);
  }

  /** The published requirements of an operation that needs a key; undefined if the gateway's key is all it needs. */
  requirementsOf({ security = this.#document['security'] }: JsonObject): readonly JsonObject[] | undefined {
    if (!this.#known.has(security)) this.#known.set(security, this.#publishedRequirements(security));
    return this.#known.get(security);
  }

  #publishedRequirements(security: unknown): readonly JsonObject[] | undefined {
    const requirements = (Array.isArray(security) ? security : []).map((each) => this.#published(each));
    if (requirements.every((each) => Object.keys(each).length === 0)) return undefined;
    return requirements.map((each) => ({ [GATEWAY_SCHEME]: [], ...each }));
  }

  /** A requirement without the credentials that consumers do not send. */
  #published(requirement: unknown): JsonObject {
    const published: Record<string, unknown> = {};
    for (const [name, scopes] of Object.entries(isObject(requirement) ? requirement : {})) {
      const scheme = partAt(this.#document, ['components', 'securitySchemes', name])?.value;
      if (scheme === undefined || !this.#isSentByConsumers(scheme)) continue;
      const isTaken = this.#prefix === '' && name === GATEWAY_SCHEME;
      const publishedName = isTaken ? `Service${name}` : this.#prefix + name;
      this.schemes[publishedName] = scheme;
      published[publishedName] = scopes;
    }
    return published;
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
