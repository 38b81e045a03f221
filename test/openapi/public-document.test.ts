/**
 * The document for consumers used to lose the names and descriptions of tags and to contain unused components. With
 * several services, its discriminators referred to schemas that did not exist.
 */
import { describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayEvents } from '../../src/control-plane/events/gateway-events.ts';
import { Faults } from '../../src/base/configuration-faults.ts';
import { Schemas } from '../../src/base/json-schemas.ts';
import { readEndpointsDocument } from '../../src/control-plane/gateway-endpoints/endpoint-handlers.ts';
import { publicDocument } from '../../src/openapi/public-document.ts';
import { NO_DOCUMENT, readUpstreamDocument, type UpstreamDocument } from '../../src/openapi/upstream-document.ts';
import { withEveryPause } from '../support/every-pause.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const respondingWith = (schema: object) => ({
  get: { tags: ['pets'], responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
});

interface Service {
  readonly name: string;
  readonly prefix?: string;
  readonly idPrefix?: string;
  readonly headers?: Record<string, string>;
  readonly document: UpstreamDocument;
}

function createService(name: string, paths: object, schemas: object, tags: object[] = []): Service {
  const value = { openapi: '3.1.0', info: { title: name, version: '1' }, tags, paths, components: { schemas } };
  return { name, document: { ...NO_DOCUMENT, value } };
}

/** A service with events, with its document parsed. */
function createEventService(name: string, fields: object): Service {
  const folder = tempFolder();
  const file = join(folder.path, 'api.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', paths: {}, ...fields }));
  const faults = new Faults();
  const document = readUpstreamDocument(file, { events: true }, faults);
  faults.throwIfAny();
  folder.remove();
  return { name, document };
}
const webhookWith = (data: object, more: object = {}) => ({
  post: { ...more, requestBody: { content: { 'application/json': { schema: { properties: { data } } } } } },
});

const own = { tags: [{ name: 'gateway', description: 'Of the gateway' }], paths: {}, components: {} };

interface Document {
  readonly tags: object[];
  readonly paths: Record<string, unknown>;
  readonly webhooks?: Record<string, { post: { parameters: object[]; security: object[] } }>;
  readonly components: { readonly parameters: object; readonly schemas: Record<string, object> };
}
const publish = async (...sources: Service[]) => (await publicDocument(sources, own)) as unknown as Document;
const listSchemas = (document: Document) => Object.keys(document.components.schemas);

/** A chain of thousands of references once overflowed the stack, so that reloads got a 500. */
test.each([
  ['allOf', (next: object) => ({ allOf: [next] })],
  ['discriminators', (_: object, before: object) => ({ discriminator: { propertyName: 'kind' }, allOf: [before] })],
])('a long chain of %s is followed to its end', async (_, createSchema) => {
  const length = 20_000;
  const schemas = Object.fromEntries(
    Array.from({ length }, (__, at) => [`S${at}`, createSchema(ref(`S${at + 1}`), ref(`S${at - 1}`))]),
  );
  const document = await publish(createService('one', { '/a': respondingWith(ref('S0')) }, schemas));
  expect(listSchemas(document)).toHaveLength(length + 1);
});

test('tags keep their names, descriptions and order, and the first of several duplicates is kept', async () => {
  const pets = { name: 'pets', description: 'Animals' };
  const one = createService('one', {}, {}, [pets, { name: 'orders' }]);
  const other = createService('other', {}, {}, [{ name: 'pets', description: 'Others' }]);
  expect((await publish(one, other)).tags).toEqual([pets, { name: 'orders' }, own.tags[0]]);
});

// Without the prefix, consumers were sent to a path that the gateway does not serve.
test('the successor of an operation has the prefix of its upstream, like its path', async () => {
  const item = {
    parameters: [],
    get: { 'x-successor': '/b?id={id}', responses: {} },
    put: { 'x-successor': 'https://elsewhere.example/b', responses: {} },
  };
  const published = await publish({ ...createService('one', { '/a/{id}': item }, {}), prefix: '/v1' });
  expect(published.paths['/v1/a/{id}']).toMatchObject({
    get: { 'x-successor': '/v1/b?id={id}' },
    put: { 'x-successor': 'https://elsewhere.example/b' },
  });
});

test('components that a path uses, even indirectly, are kept, and all others are removed', async () => {
  const schemas = {
    Pet: { properties: { owner: ref('Owner'), next: ref('Pet') } },
    Owner: { type: 'object' },
    'a/b~c': { type: 'string' },
    Unused: { properties: { also: ref('AlsoUnused') } },
    AlsoUnused: { type: 'object' },
  };
  const paths = { '/pets': respondingWith(ref('Pet')), '/odd': respondingWith(ref('a~1b~0c')) };
  expect(listSchemas(await publish(createService('one', paths, schemas)))).toEqual([
    'Pet',
    'Owner',
    'a/b~c',
    'GatewayError',
  ]);
});

test('components may have the names of methods, and a missing component is ignored', async () => {
  const schemas = { constructor: { type: 'object' }, toString: { properties: { a: ref('constructor') } } };
  const paths = {
    '/odd': respondingWith(ref('toString')),
    '/none': respondingWith({ $ref: '#/components/constructor/keys' }),
  };
  expect(listSchemas(await publish(createService('one', paths, schemas)))).toEqual([
    'constructor',
    'toString',
    'GatewayError',
  ]);
});

// Such components once modified `Object.prototype` and `Object`.
test.each(['{ "__proto__": { "polluted": {} } }', '{ "constructor": { "keys": {} } }'])(
  'components of the kind %s change nothing outside the document',
  async (components) => {
    const { keys } = Object;
    const service = createService('one', {}, {});
    const value = { ...service.document.value, components: JSON.parse(components) as object };
    await publish({ ...service, document: { ...service.document, value } });
    expect([Object.keys, 'polluted' in {}]).toEqual([keys, false]);
  },
);

test('a reference with invalid percent-encoding is ignored', async () => {
  expect(listSchemas(await publish(createService('one', { '/a': respondingWith(ref('%zz')) }, {})))).toEqual([
    'GatewayError',
  ]);
});

// Each of 8,000 operations had its own copy of 40,000 requirements, which ended the process.
test("operations without security requirements share one published list of their document's requirements", async () => {
  const service = createService('one', { '/a': respondingWith({}), '/b': respondingWith({}) }, {});
  const components = { securitySchemes: { Token: { type: 'http', scheme: 'bearer' } } };
  const value = { ...service.document.value, security: [{ Token: [] }], components };
  const { paths } = await publish({ ...service, document: { ...service.document, value } });
  const findSecurity = (path: string) => (paths[path] as { get: { security: unknown } }).get.security;
  expect(findSecurity('/a')).toEqual([{ ApiKey: [], Token: [] }]);
  expect(findSecurity('/b')).toBe(findSecurity('/a'));
});

// The operations of the first service were missing, and consumers could not find what the gateway served.
test('operations whose document is enforced have the response to invalid requests', async () => {
  const withMode = (mode: string) => ({ get: { 'x-tollgate-validation': mode, responses: {} } });
  const described = { get: { responses: { 400: { description: 'own' } } } };
  const paths = { '/usual': respondingWith({}), '/reported': withMode('report'), '/described': described };
  const enforced = { ...createService('a', paths, {}), validation: 'enforce' as const };
  const off = createService('b', { '/enforced': withMode('enforce'), '/off': respondingWith({}) }, {});
  const { paths: published, components } = (await publicDocument([enforced, off], own)) as unknown as {
    paths: Record<string, { get: { responses: Record<string, object> } }>;
    components: { responses: Record<string, { description: string }> };
  };
  const reference = { $ref: '#/components/responses/GatewayRequestInvalid' };
  expect(Object.entries(published).map(([path, { get }]) => [path, get.responses['400']])).toEqual([
    ['/usual', reference],
    ['/reported', undefined],
    ['/described', expect.objectContaining({ description: 'own' })],
    ['/enforced', reference],
    ['/off', undefined],
  ]);
  expect(components.responses['GatewayRequestInvalid']?.description).toContain('`validation_failed`');
  expect(JSON.stringify(await publicDocument([off], own))).toContain('validation_failed');
  expect(JSON.stringify(await publicDocument([createService('c', paths, {})], own))).not.toContain('validation_failed');
});

test('services with the same path but different methods are both published, each with its own parameters', async () => {
  const parameter = (name: string) => ({ name, in: 'query', schema: { type: 'string' } });
  const one = {
    summary: 'Of the first',
    parameters: [parameter('shared'), { $ref: '#/components/parameters/Limit' }],
    get: { operationId: 'list', parameters: [parameter('shared'), parameter('own')] },
  };
  const first = createService('one', { '/pets': { $ref: '#/components/pathItems/Pets' }, '/only': { get: {} } }, {});
  const components = { pathItems: { Pets: one }, parameters: { Limit: parameter('limit') } };
  const other = { '/pets': { post: { operationId: 'create' } }, '/only': { summary: 'Nothing of its own', trace: {} } };
  const { paths } = await publish(
    { ...first, document: { ...first.document, value: { ...first.document.value, components } } },
    createService('other', other, {}),
  );
  expect(Object.keys(paths['/pets']!)).toEqual(['get', 'post']);
  expect(paths['/pets']).toMatchObject({
    get: {
      operationId: 'list',
      parameters: [{ $ref: '#/components/parameters/Limit' }, parameter('shared'), parameter('own')],
      'x-tollgate-service': 'one',
    },
    post: { operationId: 'create', 'x-tollgate-service': 'other' },
  });
  expect(paths['/pets']).not.toHaveProperty('post.parameters');
  expect(Object.keys(paths['/only']!)).toEqual(['get']);
});

test('webhooks that services send themselves never replace each other', async () => {
  const named = (name: string, ...webhooks: string[]) => {
    const service = createService(name, {}, {});
    const items = Object.fromEntries(webhooks.map((webhook) => [webhook, { post: { summary: name } }]));
    return { ...service, document: { ...service.document, value: { ...service.document.value, webhooks: items } } };
  };
  const { webhooks = {} } = await publish(named('one', 'pet', 'two.pet'), named('two', 'pet'));
  expect(Object.entries(webhooks).map(([name, { post }]) => [name, (post as { summary?: string }).summary])).toEqual([
    ['pet', 'one'],
    ['two.pet', 'one'],
    ['two.two.pet', 'two'],
  ]);
});

/** Clients generated from the document called these servers directly, and sent them the key. */
test('servers of a service are hidden from consumers, wherever its document names them', async () => {
  const servers = [{ url: 'https://internal.example.com' }];
  const { get } = respondingWith({});
  const item = { servers, get: { ...get, servers }, trace: { servers } };
  const service = createService('one', { '/a': item, '/b': { $ref: '#/components/pathItems/B' } }, {});
  const value = { ...service.document.value, servers, components: { pathItems: { B: item } } };
  const published = JSON.stringify(await publish({ ...service, document: { ...service.document, value } }));
  expect(published).toContain('"pathItems":{"B":');
  expect(published).not.toContain('internal.example.com');
});

test('schemas named by a discriminator are kept, with or without a mapping', async () => {
  const discriminator = { propertyName: 'kind' };
  const schemas = {
    Cat: { type: 'object' },
    Dog: { type: 'object' },
    Mapped: { discriminator: { ...discriminator, mapping: { cat: 'Cat', dog: '#/components/schemas/Dog' } } },
    Base: { discriminator },
    Derived: { allOf: [ref('Base'), { type: 'object' }] },
    Other: { allOf: [ref('Dog')] },
  };
  const paths = { '/mapped': respondingWith(ref('Mapped')), '/base': respondingWith(ref('Base')) };
  expect(listSchemas(await publish(createService('one', paths, schemas)))).toEqual([
    'Cat',
    'Dog',
    'Mapped',
    'Base',
    'Derived',
    'GatewayError',
  ]);
});

/** References that bundlers write led to nothing, or into another service. */
test('references into paths follow the prefix, and parts that are not published there become components', async () => {
  const schema = { type: 'string' };
  const content = (part: object) => ({ 'application/json': { schema: part } });
  const at = (steps: string) => ({ $ref: `#/paths/~1a~1{id}/${steps}/content/application~1json/schema` });
  const links = { next: { operationRef: '#/paths/~1b/get' } };
  const query = { responses: { 200: { description: 'ok', content: content({ type: 'integer' }) } } };
  const paths = {
    '/a/{id}': {
      query,
      search: query,
      get: { responses: { 200: { content: content(schema), links }, 401: { content: content(schema) } } },
    },
    '/b': respondingWith({ anyOf: [at('get/responses/200'), at('get/responses/401'), at('query/responses/200')] }),
    '/c': respondingWith({ discriminator: { propertyName: 'a', mapping: { a: at('get/responses/200').$ref } } }),
  };
  const published = await publish({ ...createService('one', paths, {}), prefix: '/v1' });
  expect(Object.keys(published.paths['/v1/a/{id}']!)).toEqual(['get']);
  const text = JSON.stringify(published);
  expect(text).toContain('"operationRef":"#/paths/~1v1~1b/get"');
  expect(text).toContain('"mapping":{"a":"#/paths/~1v1~1a~1{id}/get/responses/200/content/application~1json/schema"}');
  const moved = 'responses_200_content_application_json_schema';
  expect(published.paths['/v1/b']).toMatchObject(
    respondingWith({
      anyOf: [
        { $ref: '#/paths/~1v1~1a~1{id}/get/responses/200/content/application~1json/schema' },
        ref('a_id_get_responses_401_content_application_json_schema'),
        ref(`a_id_query_${moved}`),
      ],
    }),
  );
  expect(published.components.schemas).toMatchObject({ [`a_id_query_${moved}`]: { type: 'integer' } });
});

/** The path item's own operations were published, but calls to them were refused with 405. */
test('a path item with both a reference and its own operations has all of them', async () => {
  const parameter = (name: string) => ({ name, in: 'query', schema: { type: 'string' } });
  const shared = { parameters: [parameter('a')], get: { operationId: 'list' }, put: { operationId: 'replaced' } };
  const item = { $ref: '#/components/pathItems/A', parameters: [parameter('b')], put: { operationId: 'put' } };
  const fields = { paths: { '/a': item }, components: { pathItems: { A: shared } } };
  const { name, document } = createEventService('one', fields);
  expect(document.operations.map(({ method, id }) => [method, id])).toEqual([
    ['GET', 'list'],
    ['PUT', 'put'],
  ]);
  const { paths } = await publish({ name, document });
  expect(paths['/a']).toMatchObject({
    parameters: [parameter('a'), parameter('b')],
    get: { operationId: 'list' },
    put: { operationId: 'put' },
  });
  expect(paths['/a']).not.toHaveProperty('$ref');
});

test('references to components that are renamed are renamed as well', async () => {
  const mapping = { cat: 'Cat', dog: '#/components/schemas/Dog' };
  const schemas = {
    Cat: { type: 'object' },
    Dog: { type: 'object' },
    Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } },
  };
  const document = await publish(
    createService('one', { '/pets': respondingWith(ref('Pet')) }, schemas),
    createService('two', { '/cats': respondingWith(ref('Cat')) }, schemas),
  );
  expect(listSchemas(document)).toEqual(['one.Cat', 'one.Dog', 'one.Pet', 'two.Cat', 'GatewayError']);
  expect(document.components.schemas['one.Pet']).toEqual({
    oneOf: [ref('one.Cat'), ref('one.Dog')],
    discriminator: { propertyName: 'kind', mapping: { cat: 'one.Cat', dog: '#/components/schemas/one.Dog' } },
  });
});

// Renaming a component of 6 MB held all requests for 0.4 s on a reload.
test('a large component is renamed with many pauses', async () => {
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
  const paths = { '/a': respondingWith(ref('Large')) };
  const schemas = { Large: { properties } };
  const { result, turns } = await withEveryPause(() =>
    publish(createService('one', paths, schemas), createService('two', {}, schemas)),
  );
  expect(turns).toBeGreaterThan(100);
  expect(result.components.schemas['one.Large']).toEqual({ properties });
});

// Every type once began with the name of the internal service.
test('components are renamed only if several services share the name, or the gateway uses it', async () => {
  const document = await publish(
    createService(
      'one',
      { '/pets': respondingWith({ anyOf: ['Pet', 'Error', 'two.Pet', 'GatewayError'].map(ref) }) },
      { Pet: {}, Error: {}, 'two.Pet': {}, GatewayError: { type: 'string' } },
    ),
    createService('two', { '/cats': respondingWith(ref('Pet')) }, { Pet: {} }),
  );
  expect(listSchemas(document).toSorted()).toEqual(
    ['Error', 'GatewayError', 'one.GatewayError', 'one.Pet', 'one.two.Pet', 'two.Pet'].toSorted(),
  );
  expect(JSON.stringify(document.paths['/pets'])).toContain(
    JSON.stringify({ anyOf: ['one.Pet', 'Error', 'one.two.Pet', 'one.GatewayError'].map(ref) }),
  );
});

test('the document for several services has the introduction of each, and names the service of each path', async () => {
  const tags = [{ name: 'pets', description: 'Others' }];
  const document = await publish(
    createService('one', { '/a': respondingWith({}) }, {}),
    createService('two', { '/b': {} }, {}, tags),
  );
  expect(document).toMatchObject({
    'x-tollgate-services': [
      { name: 'one', title: 'one', version: '1', tags: [] },
      { name: 'two', title: 'two', version: '1', tags },
    ],
    paths: { '/a': { 'x-tollgate-service': 'one' }, '/b': { 'x-tollgate-service': 'two' } },
  });
  expect(await publish(createService('one', {}, {}))).not.toHaveProperty('x-tollgate-services');
});

/** Without a prefix, a team whose operation id was already used by another service had to change its document. */
test('an idPrefix is added to every operation id, including those in links, callbacks and webhooks', async () => {
  const links = { next: { operationId: 'read', parameters: { id: '1' } }, far: { operationRef: '#/paths/~1a/get' } };
  const operation = (operationId: string) => ({
    operationId,
    responses: { default: { description: 'ok', links } },
    requestBody: { content: { 'application/json': { example: { operationId: 'mine' } } } },
  });
  const value = {
    openapi: '3.1.0',
    paths: {
      '/a': {
        summary: 'A',
        get: operation('list'),
        post: { callbacks: { done: { '{$url}': { post: operation('done') } } } },
      },
      '/b': { $ref: '#/components/pathItems/b' },
    },
    components: {
      pathItems: { b: { get: { operationId: 'read', responses: { 200: { $ref: '#/components/responses/ok' } } } } },
      responses: { ok: { description: 'ok', links: { back: { $ref: '#/components/links/back' } } } },
      links: { back: { operationId: 'list' } },
    },
  };
  const service = { name: 'shop', idPrefix: 'shop.', document: { ...NO_DOCUMENT, value } };
  const idsIn = (document: object) =>
    [...JSON.stringify(document).matchAll(/"operationId":"([^"]*)"/g)].map(([, id = '']) => id);
  const { paths, components } = await publish(service);
  const item = paths['/a'] as { get: ReturnType<typeof operation> };
  expect(item.get.operationId).toBe('shop.list');
  expect(item.get.responses.default.links.next).toEqual({ operationId: 'shop.read', parameters: { id: '1' } });
  expect(item.get.requestBody).toEqual(operation('').requestBody);
  expect(
    idsIn({ paths, components })
      .filter((id) => id !== 'mine')
      .every((id) => id.startsWith('shop.')),
  ).toBe(true);
  expect(idsIn({ paths, components }).sort()).toEqual(
    ['mine', 'mine', 'shop.done', 'shop.list', 'shop.list', 'shop.read', 'shop.read', 'shop.read'].sort(),
  );
  expect(idsIn(await publish({ ...service, idPrefix: '' })).every((id) => !id.includes('.'))).toBe(true);
});

describe('the document for consumers', () => {
  const schemas = {
    Pet: { properties: { owner: ref('Owner') } },
    Owner: { type: 'object' },
    Secret: { type: 'object' },
  };
  const webhooks = {
    'pet.created': webhookWith(ref('Pet'), { parameters: [{ name: 'x', in: 'header' }] }),
    'pet.checked': webhookWith(ref('Secret'), { 'x-tollgate-audience': 'operators' }),
  };

  test('has the webhooks of services that are events, with their components, as they are delivered', async () => {
    const document = await publish(createEventService('one', { webhooks, components: { schemas } }));
    expect(Object.keys(document.webhooks ?? {})).toEqual(['pet.created']);
    const delivered = ['Id', 'Timestamp', 'Signature'].map((part) => `GatewayWebhook${part}`);
    expect(document.webhooks?.['pet.created']?.post).toEqual({
      ...webhooks['pet.created'].post,
      security: [],
      parameters: [
        { name: 'x', in: 'header' },
        ...delivered.map((part) => ({ $ref: `#/components/parameters/${part}` })),
      ],
    });
    expect(Object.keys(document.components.parameters)).toEqual(delivered);
    expect(listSchemas(document)).toEqual(['Pet', 'Owner']);
  });

  /** These webhooks describe requests that the service itself sends, in its own format. */
  test('has the webhooks of services that are not events, unchanged', async () => {
    const other = { put: { requestBody: { content: { 'text/plain': { schema: ref('Pet') } } } } };
    const openapi = '3.1.0';
    const value = { openapi, webhooks: { newPet: other, 'key.created': other }, components: { schemas } };
    const gatewayOwn = { ...own, webhooks: { 'key.created': webhookWith({}) } };
    const service = { name: 'shop', document: { ...NO_DOCUMENT, value } };
    const document = (await publicDocument([service], gatewayOwn)) as unknown as Document;
    const published = { put: { security: [], ...other.put } };
    expect(document.webhooks).toEqual({
      newPet: published,
      'shop.key.created': published,
      'key.created': webhookWith({}),
    });
    expect(listSchemas(document)).toContain('Pet');
  });

  test('has separate components for each service, even if a webhook is a component', async () => {
    const pathItems = { Made: webhookWith(ref('Pet')) };
    const one = createEventService('one', {
      webhooks: { 'pet.created': { $ref: '#/components/pathItems/Made' } },
      components: { schemas, pathItems },
    });
    const two = createEventService('two', {
      openapi: '3.0.3',
      'x-webhooks': { 'pet.fed': webhookWith(ref('Pet')) },
      components: { schemas },
    });
    const document = await publish(one, two);
    expect(Object.keys(document.webhooks ?? {})).toEqual(['pet.created', 'pet.fed']);
    expect(listSchemas(document)).toEqual(['one.Pet', 'one.Owner', 'two.Pet', 'two.Owner']);
  });

  test("has the gateway's own events, except those for operators", async () => {
    const { webhooks: all = {} } = (await publicDocument([], readEndpointsDocument())) as unknown as Document;
    const shown = Object.entries(gatewayEvents).filter(([, { audience }]) => (audience as string) !== 'operators');
    expect(Object.keys(all)).toEqual(shown.map(([name]) => name));
    expect(Object.keys(all)).toEqual(expect.arrayContaining(['key.created', 'plan.changed', 'operation.deprecated']));
    expect(Object.keys(all)).not.toContain('store.degraded');
  });
});

test('the published schemas of the gateway’s events accept the events’ data and additional fields', async () => {
  const document = await publicDocument([], readEndpointsDocument());
  const at = { daysLeft: 7, expiresAt: null, id: 'a', name: 'a', owner: 'a', plan: 'a', prefix: 'a', lastFour: 'a' };
  const data = { ...at, kind: 'secret', token: null, limits: { minute: 1, day: 2 } };
  const place = ['webhooks', 'key.expiring', 'post', 'requestBody', 'content', 'application/json', 'schema'];
  const validate = new Schemas(document).at(place);
  const body = { type: 'key.expiring', timestamp: '2026-06-15T12:00:00Z', data };
  expect(validate(body, '')).toBeUndefined();
  expect(validate({ ...body, data: { ...data, later: 1 } }, '')).toBeUndefined();
  expect(validate({ ...body, data: { ...data, daysLeft: 'two' } }, '')).toEqual([
    { path: '/data/daysLeft', message: 'must be a whole number' },
  ]);
  expect(validate({ ...body, type: 'key.created' }, '')).toHaveLength(1);
});

describe('credentials of a service', () => {
  const http = (scheme: string) => ({ type: 'http', scheme });
  const apiKey = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
  const securitySchemes = {
    bearer: { $ref: '#/components/securitySchemes/token' },
    token: http('bearer'),
    session: apiKey('cookie', 'session'),
    ApiKey: apiKey('query', 'key'),
    ours: apiKey('header', 'x-api-key'),
    secret: apiKey('header', 'X-Upstream-Secret'),
    certificate: { type: 'mutualTLS' },
  };
  const operation = (security?: object[]) => ({ get: { responses: {}, ...(security && { security }) } });
  const paths = {
    '/default': operation(),
    '/either': operation([{ bearer: [] }, { session: [], certificate: [] }]),
    '/optional': operation([{}, { ApiKey: [] }]),
    '/gateway': operation([{ ours: [] }, { secret: [] }, { certificate: [] }, { unknown: [] }]),
    '/public': operation([]),
  };
  const value = { openapi: '3.1.0', security: [{ bearer: ['pets'] }], paths, components: { securitySchemes } };
  const headers = { 'x-upstream-secret': 'abc' };
  const service = { name: 'pets', headers, document: { ...NO_DOCUMENT, value } };
  const findSecurity = (document: Document, path: string) =>
    (document.paths[path] as { get: { security?: object[] } }).get.security;
  const listSchemes = ({ components }: Document) =>
    (components as unknown as { securitySchemes: Record<string, object> }).securitySchemes;

  test('are required in addition to the key of the gateway', async () => {
    const document = await publish(service);
    expect(findSecurity(document, '/default')).toEqual([{ ApiKey: [], bearer: ['pets'] }]);
    expect(findSecurity(document, '/either')).toEqual([
      { ApiKey: [], bearer: [] },
      { ApiKey: [], session: [] },
    ]);
    expect(findSecurity(document, '/optional')).toEqual([{ ApiKey: [] }, { ApiKey: [], ServiceApiKey: [] }]);
    expect(listSchemes(document)).toEqual({
      ApiKey: apiKey('header', 'X-API-Key'),
      bearer: http('bearer'),
      session: apiKey('cookie', 'session'),
      ServiceApiKey: apiKey('query', 'key'),
    });
  });

  test('are left out if the gateway sends them, or if they are the gateway’s own key', async () => {
    const document = await publish(service);
    expect(findSecurity(document, '/gateway')).toBeUndefined();
    expect(findSecurity(document, '/public')).toEqual([{}, { ApiKey: [] }]);
    const authorized = await publish({ ...service, headers: { Authorization: 'Basic abc' } });
    expect(findSecurity(authorized, '/default')).toBeUndefined();
    expect(findSecurity(authorized, '/either')).toEqual([{ ApiKey: [] }, { ApiKey: [], session: [] }]);
  });

  test('are prefixed with the name of the service if there are several', async () => {
    const document = await publish(service, createService('other', { '/other': operation() }, {}));
    expect(findSecurity(document, '/default')).toEqual([{ ApiKey: [], 'pets.bearer': ['pets'] }]);
    expect(findSecurity(document, '/optional')).toEqual([{ ApiKey: [] }, { ApiKey: [], 'pets.ApiKey': [] }]);
    expect(findSecurity(document, '/other')).toBeUndefined();
    expect(Object.keys(listSchemes(document))).toEqual(['ApiKey', 'pets.bearer', 'pets.session', 'pets.ApiKey']);
  });
});
