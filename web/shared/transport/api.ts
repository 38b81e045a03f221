import type { Client } from 'openapi-fetch';
import { fetchWithTimeout, parseJsonIfValid } from './fetch.ts';

/** A client that reads from an API, typed by the API's OpenAPI document. */
type Api<Paths extends object> = Pick<Client<Paths>, 'GET'>;

interface Options {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
  readonly headers?: HeadersInit;
  /** The format of the response body: `text`, or JSON by default. */
  readonly parseAs?: string;
  readonly signal?: AbortSignal | null;
}

/**
 * Creates a client with the types of openapi-fetch, but without its code. Most of that would be unused, and every first
 * screen would load it.
 *
 * @param apiUrl without a slash at its end
 */
export function createApi<Paths extends object>(apiUrl: string): Api<Paths> {
  const get = async (path: string, { params = {}, headers = {}, parseAs, signal = null }: Options = {}) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeValue(params.path?.[name]));
    const response = await fetchWithTimeout(
      new Request(apiUrl + address + formatQuery(params.query), { headers, signal }),
    );
    const text = await response.text();
    if (!response.ok) return { error: parseJsonIfValid(text), response };
    return { data: parseAs === 'text' ? text : (JSON.parse(text) as unknown), response };
  };
  return { GET: get as Api<Paths>['GET'] };
}

/** Formats the query of a URL. A list becomes a repeated parameter. Undefined values are left out. */
function formatQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each == null ? [] : [`${encodeValue(name)}=${encodeValue(each)}`])),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encodeValue(value: unknown): string {
  return encodeURIComponent(String(value));
}
