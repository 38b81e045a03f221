import type { ClientAddress } from '../../http/addresses.ts';
import { API_CATALOG_PATH, API_CATALOG_TYPE } from '../../http/path-rules.ts';
import { RESPONDED, type Exchange, type Step, type StepResult } from '../exchange/exchange.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { pushAddressLimitHeaders } from '../exchange/push-usage.ts';
import { respond } from '../exchange/respond.ts';

interface ApiCatalogOptions {
  /** The catalog, as JSON. */
  readonly getApiCatalog: () => string;
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
}

const CATALOG_HEADERS = [
  'Content-Type',
  API_CATALOG_TYPE,
  'Cache-Control',
  'public, max-age=60',
  // This link is also required in the response to HEAD (RFC 9727, section 2).
  'Link',
  `<${API_CATALOG_PATH}>; rel="api-catalog"`,
];

/** Tells programs where the API is described (RFC 9727). The catalog needs no key and is the same for everybody. */
export function createApiCatalogStep({ getApiCatalog, addressLimiter, clientAddress }: ApiCatalogOptions): Step {
  return function catalog(exchange) {
    const { method } = exchange.req;
    if (exchange.path !== API_CATALOG_PATH || (method !== 'GET' && method !== 'HEAD')) return undefined;
    return sendCatalog(exchange);
  };

  async function sendCatalog(exchange: Exchange): Promise<StepResult> {
    exchange.kind = 'api_catalog';
    pushAddressLimitHeaders(exchange, await addressLimiter.peek(clientAddress(exchange.req)));
    respond(exchange, 200, CATALOG_HEADERS, getApiCatalog());
    return RESPONDED;
  }
}
