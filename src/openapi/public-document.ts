import { isDeepStrictEqual } from 'node:util';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { DELIVERY_PARAMETERS, deliveredWebhooks, foreignWebhooks } from './delivered-webhooks.ts';
import { type JsonObject, isObject } from '../base/json.ts';
import type { UpstreamDocument } from './upstream-document.ts';
import { addComponents, ComponentNames, type Components, objectAt, usedComponents } from './components.ts';
import { OPERATION_KEYS, withPrefix } from './openapi.ts';
import {
  createRefusalResponses,
  ERROR_SCHEMA,
  GATEWAY_HEADERS,
  REPLACED_STATUSES,
  withRefusals,
} from './documented-refusals.ts';
import { mergedPathItem, type OwnPathItem, SERVICE } from './merged-path-item.ts';
import { isReferenceWithMore, pathItemAt } from './path-item.ts';
import { publishedDocument } from './published-document.ts';
import type { ValidationMode } from '../domain/validation-mode.ts';
import type { ScopesMode } from './required-scopes.ts';
import { createGatewaySecurity, type GatewaySecurity, ServiceSecurity } from './service-security.ts';

interface Source {
  readonly name: string;
  readonly prefix?: string | undefined;
  readonly idPrefix?: string | undefined;
  /**
   * Headers that consumers cannot send to the service, because the gateway sends them itself or reserves them for keys.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly scopes?: ScopesMode | undefined;
  readonly validation?: ValidationMode | undefined;
  readonly document: UpstreamDocument;
}

/**
 * The API for consumers: the documents of all upstreams merged into one, with the events that consumers can receive.
 * The gateway adds the key, the rate-limit headers and its own refusals to each operation. Credentials of a service are
 * required in addition to the key. An access token is an alternative to the key. If there are several upstreams, `x-tollgate-services` has their descriptions, and
 * each path has the name of its upstream in `x-tollgate-service`. If several upstreams share a path, each of its
 * operations has that field instead.
 *
 * @param own the gateway's own endpoints and events
 * @param tokenIssuers the issuers whose access tokens are accepted
 */
export async function publicDocument(
  sources: readonly Source[],
  own: JsonObject,
  tokenIssuers: readonly string[] = [],
): Promise<JsonObject> {
  const gateway = createGatewaySecurity(
    tokenIssuers,
    sources.some(({ scopes }) => scopes === 'enforce'),
  );
  const gatewayComponents = createGatewayComponents(gateway);
  const paths: Record<string, unknown> = {};
  const webhooks: Record<string, unknown> = {};
  const components: Components = new Map();
  const single = sources.length === 1;
  const securitySchemes: Record<string, unknown> = {};
  const isOnSeveral = pathsOfSeveral(sources);
  const onSeveral = new Map<string, readonly OwnPathItem[]>();
  const foreign: ForeignWebhooks[] = [];
  const documents = sources.map(({ name, document }) => ({ name, value: document.value }));
  const names = new ComponentNames(documents, withGatewayComponents(own, gatewayComponents));
  for (const { name, prefix = '', idPrefix, headers = {}, validation = 'off', document } of sources) {
    const security = new ServiceSecurity(document.value, { prefix: single ? '' : `${name}.`, headers, gateway });
    const value = await publishedDocument(document.value, {
      name,
      prefix,
      idPrefix,
      staysAt: (steps) => staysAt(steps, (path) => isOnSeveral(prefix + path)),
      names,
      isRenamed: (kind, component) => !single && names.isAmbiguous(kind, component),
    });
    const isEnforced = (operation: JsonObject) => (operation['x-tollgate-validation'] ?? validation) === 'enforce';
    const shownItem = (item: unknown) =>
      withRefusals(withPrefixedSuccessors(item, prefix), security, gateway, isEnforced);
    for (const [path, item] of Object.entries(objectAt(value, 'paths'))) {
      await pauseIfDue();
      const itemAt = () => pathItemAt(value, ['paths', path]);
      const shown = shownItem(isReferenceWithMore(item, OPERATION_KEYS) ? itemAt() : item);
      paths[path] = !single && isObject(shown) ? { ...shown, [SERVICE]: name } : shown;
      if (!isOnSeveral(path)) continue;
      const whole = shownItem(itemAt());
      const others = onSeveral.get(path) ?? [];
      if (isObject(whole)) onSeveral.set(path, [...others, { service: name, item: whole, document: value }]);
    }
    Object.assign(securitySchemes, security.schemes);
    const shown = document.eventTypes.filter(({ audience }) => audience === 'everyone');
    Object.assign(webhooks, deliveredWebhooks(value, shown));
    foreign.push({ name, items: foreignWebhooks(value, document.eventTypes) });
    addComponents(components, value);
  }
  for (const [path, items] of onSeveral) paths[path] = mergedPathItem(items);
  for (const [path, item] of Object.entries(objectAt(own, 'paths'))) paths[path] = withRefusals(item, null, gateway);
  Object.assign(webhooks, own['webhooks']);
  addForeignWebhooks(webhooks, foreign);
  addComponents(components, own);
  addComponents(components, gatewayComponents);
  const info = sources[0]?.document.value['info'] ?? { title: 'API', version: '1.0.0' };
  return {
    openapi: '3.1.0',
    info: single ? info : { title: 'API', version: '1.0.0' },
    servers: [{ url: '/' }],
    security: gateway.requirements,
    tags: mergeTags([...sources.map(({ document }) => document.value), own]),
    ...(single || sources.length === 0 ? {} : { 'x-tollgate-services': sources.map(describeService) }),
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: {
      ...(await usedComponents({ paths, webhooks }, components)),
      securitySchemes: { ...gateway.schemes, ...securitySchemes },
    },
  };
}

/** @returns a function that says whether several services have a path */
function pathsOfSeveral(sources: readonly Source[]): (path: string) => boolean {
  const counts = new Map<string, number>();
  for (const { prefix = '', document } of sources) {
    for (const path of Object.keys(objectAt(document.value, 'paths'))) {
      counts.set(prefix + path, (counts.get(prefix + path) ?? 0) + 1);
    }
  }
  return (path) => (counts.get(path) ?? 0) > 1;
}

/**
 * Whether a part of a document stays at its place when it is published. If several services share a path, anything that
 * the path item says about all of its operations moves.
 */
function staysAt(
  [top, path = '', member, inner, status = '']: readonly string[],
  isShared: (path: string) => boolean,
): boolean {
  if (top === 'components') return true;
  if (top !== 'paths') return false;
  if (isShared(path) && (member === undefined || member === 'parameters' || inner === 'parameters')) return false;
  if (member === undefined || member === 'parameters') return true;
  return OPERATION_KEYS.has(member) && !(inner === 'responses' && REPLACED_STATUSES.has(status));
}

interface ForeignWebhooks {
  readonly name: string;
  readonly items: JsonObject;
}

/** Adds webhooks. A webhook whose name is taken gets another one. */
function addForeignWebhooks(webhooks: Record<string, unknown>, foreign: readonly ForeignWebhooks[]): void {
  for (const { name, items } of foreign) {
    for (const [webhook, item] of Object.entries(items)) {
      let free = webhook;
      while (Object.hasOwn(webhooks, free)) free = `${name}.${free}`;
      webhooks[free] = item;
    }
  }
}

/** The components that the gateway adds to those of the services. */
function createGatewayComponents(gateway: GatewaySecurity) {
  return {
    components: {
      headers: GATEWAY_HEADERS,
      parameters: DELIVERY_PARAMETERS,
      responses: createRefusalResponses(gateway),
      schemas: { GatewayError: ERROR_SCHEMA },
    },
  };
}

/** Lists all components that the gateway itself uses. */
function withGatewayComponents(own: JsonObject, gatewayComponents: JsonObject): JsonObject {
  const kinds = [own, gatewayComponents].flatMap((each) => Object.entries(objectAt(each, 'components')));
  const components: Record<string, JsonObject> = {};
  for (const [kind, entries] of kinds)
    components[kind] = { ...components[kind], ...(isObject(entries) ? entries : {}) };
  return { components };
}

/**
 * A service's name, version, description and tags. Each service has its own tags, because services may describe the
 * same tag differently.
 */
function describeService({ name, document: { value } }: Source): JsonObject {
  const { title, version, description, summary } = objectAt(value, 'info');
  const tags = mergeTags([value]);
  return { name, title: title ?? name, version, description: description ?? summary, tags };
}

/** The public documents of one gateway. As long as the sources stay the same, the same object is returned. */
export class PublicDocuments {
  readonly #own: JsonObject;
  #last: {
    readonly sources: readonly Source[];
    readonly issuers: readonly string[];
    readonly document: JsonObject;
  } | null = null;

  /** @param own as for `publicDocument` */
  constructor(own: JsonObject) {
    this.#own = own;
  }

  /** @param issuers as for `publicDocument` */
  async of(sources: readonly Source[], issuers: readonly string[]): Promise<JsonObject> {
    const last = this.#last;
    if (last !== null && areSame(last.sources, sources) && isDeepStrictEqual(last.issuers, issuers)) {
      return last.document;
    }
    const document = await publicDocument(sources, this.#own, issuers);
    this.#last = { sources, issuers, document };
    return document;
  }
}

function areSame(some: readonly Source[], others: readonly Source[]): boolean {
  return some.length === others.length && some.every((one, index) => isSame(one, others[index]));
}

function isSame(one: Source, other: Source | undefined): boolean {
  return (
    one.document === other?.document &&
    one.name === other.name &&
    one.prefix === other.prefix &&
    one.scopes === other.scopes &&
    one.validation === other.validation &&
    isDeepStrictEqual(one.headers, other.headers) &&
    one.idPrefix === other.idPrefix
  );
}

/** The operations of a path item, with the upstream's prefix in front of their successors. */
function withPrefixedSuccessors(item: unknown, prefix: string): unknown {
  if (!isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([key, operation]) => {
      if (!isObject(operation) || typeof operation['x-successor'] !== 'string') return [key, operation];
      return [key, { ...operation, 'x-successor': withPrefix(prefix, operation['x-successor']) }];
    }),
  );
}

/** The tags of several documents, with their descriptions. If several tags share a name, the first one is used. */
function mergeTags(documents: readonly JsonObject[]): JsonObject[] {
  const byName = new Map<unknown, JsonObject>();
  for (const { tags } of documents) {
    for (const tag of Array.isArray(tags) ? (tags as unknown[]) : []) {
      if (isObject(tag) && !byName.has(tag['name'])) byName.set(tag['name'], tag);
    }
  }
  return [...byName.values()];
}
