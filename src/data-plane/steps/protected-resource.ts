import type { IncomingMessage } from 'node:http';
import type { ClientAddress, IsTrustedProxy } from '../../http/addresses.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import { HOST } from '../../http/framing.ts';
import { PROTECTED_RESOURCE_PATH } from '../../http/path-rules.ts';
import { findProtocol } from '../../http/protocol.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import { RESPONDED, type Exchange, type Step, type StepResult } from '../exchange/exchange.ts';
import { pushAddressLimitHeaders } from '../exchange/push-usage.ts';
import { respond } from '../exchange/respond.ts';

interface ResourceOptions {
  /** `portal.apiUrl`; undefined: the scheme and host of each request. */
  readonly apiUrl: string | undefined;
  readonly isTrustedProxy: IsTrustedProxy;
}

/** Describes the API as a resource that access tokens protect (RFC 9728). */
export interface ResourceMetadata {
  /** The URL of the API; null if the request does not name its host. */
  readonly resource: (req: IncomingMessage) => string | null;
  /** A parameter of `WWW-Authenticate` (RFC 9728, 5.1), with the comma before it; empty if the URL is not known. */
  readonly parameter: (exchange: Exchange) => string;
}

export function createResourceMetadata({ apiUrl, isTrustedProxy }: ResourceOptions): ResourceMetadata {
  function resource(req: IncomingMessage): string | null {
    if (apiUrl !== undefined) return apiUrl;
    const reported = isTrustedProxy(req) ? req.headers : {};
    const host = String(reported['x-forwarded-host'] ?? req.headers.host ?? '');
    const protocol = String(reported['x-forwarded-proto'] ?? findProtocol(req.socket));
    return HOST.test(host) && /^https?$/.test(protocol) ? `${protocol}://${host}` : null;
  }

  return {
    resource,
    parameter({ req }) {
      const url = resource(req);
      return url === null ? '' : `, resource_metadata="${url.replace(/\/$/, '')}${PROTECTED_RESOURCE_PATH}"`;
    },
  };
}

interface ProtectedResourceOptions {
  readonly metadata: ResourceMetadata;
  /** The URLs of the issuers. */
  readonly issuers: readonly string[];
  /** Counts calls by address. */
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
}

const HEADERS = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];

/** Tells clients where to get access tokens for the API (RFC 9728, section 3). It needs neither key nor token. */
export function createProtectedResource(options: ProtectedResourceOptions): Step {
  const { metadata, issuers, addressLimiter, clientAddress } = options;
  return function protectedResource(exchange) {
    const { method } = exchange.req;
    if (exchange.path !== PROTECTED_RESOURCE_PATH || (method !== 'GET' && method !== 'HEAD')) return undefined;
    return describe(exchange);
  };

  async function describe(exchange: Exchange): Promise<StepResult> {
    exchange.kind = 'protected_resource';
    const usage = await addressLimiter.charge(clientAddress(exchange.req));
    pushAddressLimitHeaders(exchange, usage);
    if (usage.exceeded) {
      return { code: 'rate_limit_exceeded', headers: ['Retry-After', formatRetryAfter(usage.waitMs)] };
    }
    const resource = metadata.resource(exchange.req);
    if (resource === null) return { code: 'bad_request', message: 'The Host header is missing.' };
    const described = { resource, authorization_servers: issuers, bearer_methods_supported: ['header'] };
    respond(exchange, 200, HEADERS, JSON.stringify(described));
    return RESPONDED;
  }
}
