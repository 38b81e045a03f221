import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { formatJson } from '../../src/base/json.ts';
import { loadInThread } from '../../src/config/openapi-thread.ts';
import type { LiveConfig } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createPlans } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

/**
 * A reload reads documents in a worker thread and receives them in parts. The result must be the same as at a start.
 */

let folder: ReturnType<typeof tempFolder>;
const env = { TOLLGATE_CONFIG: 'gateway.yaml' };

const operation = (id: string) => ({
  operationId: id,
  deprecated: id.endsWith('7'),
  responses: {
    200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/C1' } } } },
  },
});

function large(title: string): object {
  const indices = Array.from({ length: 250 }, (_, index) => index);
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    'x-tollgate-events': true,
    servers: [{ url: 'https://example.com/v1' }],
    paths: Object.fromEntries(indices.map((index) => [`/p${index}/{id}`, { get: operation(`op${index}`) }])),
    webhooks: {
      'thing.created': {
        post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Made' } } } } },
      },
    },
    components: {
      schemas: {
        ...Object.fromEntries(indices.map((index) => [`C${index}`, { type: 'object' }])),
        constructor: { type: 'string' },
        Made: { properties: { data: { type: 'object', required: ['id'] } } },
      },
      'x-note': 'not a map',
    },
  };
}

function write(name: string, content: object): void {
  writeFileSync(join(folder.path, name), stringify(content));
}

let before: LiveConfig;
beforeAll(() => {
  folder = tempFolder();
  write('plans.yaml', createPlans({ minute: 60, day: 1000 }));
  write('a.yaml', large('A'));
  write('b.yaml', { openapi: '3.1.0', info: { title: 'B', version: '1' }, webhooks: {} });
  const upstream = (name: string) => ({ name, openapi: `${name}.yaml`, targets: ['http://127.0.0.1:9'] });
  write('gateway.yaml', {
    plans: 'plans.yaml',
    upstreams: [{ ...upstream('a'), prefix: '/a', idPrefix: 'a.' }, upstream('b')],
  });
  before = loadConfig(env, folder.path).live;
});
afterAll(() => folder.remove());

/** Copies the upstreams without their validators, which are functions. */
const plain = ({ upstreams }: LiveConfig): unknown => JSON.parse(JSON.stringify(upstreams));

test('a changed document that was loaded in a thread equals the one that a start would load', async () => {
  write('a.yaml', large('Changed'));
  const { live: read } = await loadInThread(env, folder.path, before);
  const started = loadConfig(env, folder.path).live;
  expect(plain(read)).toEqual(plain(started));
  // The order of the fields must be the same, too.
  const texts = ({ upstreams }: LiveConfig) => upstreams.map(({ document }) => JSON.stringify(document.value));
  expect(texts(read)).toEqual(texts(started));
  const [type] = read.upstreams[0]?.document.eventTypes ?? [];
  const event = (data: unknown) => ({ type: 'thing.created', timestamp: '2026-01-01T00:00:00Z', data });
  expect(type?.validate(event({ id: 1 }))).toBeUndefined();
  expect(type?.validate(event({}))).toMatchObject([{ path: '/data/id' }]);
});

// On a reload, validators are compiled from the webhooks and their components only, unless these refer to something
// else.
test.each(['#/components/schemas/Made', '#/paths/~1shared/x-schema'])(
  'an event can refer to the schema %s',
  async ($ref) => {
    const content = { 'application/json': { schema: { $ref } } };
    const { paths, ...rest } = large('Events') as { readonly paths: object };
    write('a.yaml', {
      ...rest,
      paths: { ...paths, '/shared': { 'x-schema': { properties: { data: { type: 'object', required: ['id'] } } } } },
      webhooks: { 'other.created': { post: { requestBody: { content } } } },
    });
    const { live: read } = await loadInThread(env, folder.path, before);
    const [type] = read.upstreams[0]?.document.eventTypes ?? [];
    const event = (data: unknown) => ({ type: 'other.created', timestamp: '2026-01-01T00:00:00Z', data });
    expect(type?.validate(event({ id: 1 }))).toBeUndefined();
    expect(type?.validate(event({}))).toMatchObject([{ path: '/data/id' }]);
  },
);

test('an unchanged document is reused, and remains the same object', async () => {
  const { live: read } = await loadInThread(env, folder.path, before);
  expect(read.upstreams[1]?.document).toBe(before.upstreams[1]?.document);
});

test('an invalid document causes the same errors in a thread as at a start', async () => {
  write('a.yaml', { ...large('Wrong'), 'x-tollgate-event': true, components: [] });
  let refusal: unknown;
  try {
    loadConfig(env, folder.path);
  } catch (error) {
    refusal = error;
  }
  await expect(loadInThread(env, folder.path, before)).rejects.toEqual(refusal);
  const faults = ['x-tollgate-event is unknown', 'components must be a map'];
  expect(refusal).toMatchObject({
    faults: expect.arrayContaining(faults.map((each) => expect.stringContaining(each))),
  });
});

test('serialization in steps produces the same text as JSON.stringify', async () => {
  const documents = [
    {},
    { a: undefined, b: null, '': { c: [undefined, { d: {} }] } },
    large('A') as Record<string, unknown>,
  ];
  for (const document of documents) {
    expect(await formatJson(document)).toBe(JSON.stringify(document));
  }
});
