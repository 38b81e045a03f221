import type { JsonObject } from '../../base/json/json-object.ts';
import type { ApiDocument } from '../openapi.ts';
import { objectAt } from './objects.ts';
import { ERROR_SCHEMA, OWN_REFUSALS, RATE_LIMIT_HEADERS, withRefusals } from './refusals.ts';
import { renamed } from './renamed.ts';
import { tagsOf } from './tags.ts';
import { usedComponents } from './used-components.ts';

interface Source {
  readonly name: string;
  readonly prefix?: string | undefined;
  readonly document: ApiDocument;
}

/**
 * The API as consumers may call it: the documents of all upstreams as one, with what the gateway adds to each
 * operation: the key, the rate-limit headers, and its own refusals.
 *
 * @param own the gateway's own endpoints; the names of its components are no upstream's
 */
export function publicDocument(sources: readonly Source[], own: JsonObject): JsonObject {
  const paths: Record<string, unknown> = {};
  const components: Record<string, Record<string, unknown>> = {};
  const single = sources.length === 1;
  for (const { name, prefix = '', document } of sources) {
    const value = single ? document.value : renamed(document.value, name);
    for (const [path, item] of Object.entries(objectAt(value, 'paths'))) paths[prefix + path] = withRefusals(item);
    addComponents(components, value);
  }
  for (const [path, item] of Object.entries(objectAt(own, 'paths'))) paths[path] = withRefusals(item, OWN_REFUSALS);
  addComponents(components, own);
  addComponents(components, {
    components: { headers: RATE_LIMIT_HEADERS, schemas: { GatewayError: ERROR_SCHEMA } },
  });
  const info = sources[0]?.document.value['info'] ?? { title: 'API', version: '1.0.0' };
  return {
    openapi: '3.1.0',
    info: single ? info : { title: 'API', version: '1.0.0' },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }],
    tags: tagsOf([...sources.map(({ document }) => document.value), own]),
    paths,
    components: {
      ...usedComponents(paths, components),
      // Those of the services say how they know the gateway, which is nothing to consumers.
      securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

function addComponents(components: Record<string, Record<string, unknown>>, value: JsonObject): void {
  for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
    Object.assign((components[kind] ??= {}), entries);
  }
}
