/**
 * A long text was once repeated for every reference to it, so a document of less than a megabyte became a page of
 * gigabytes.
 */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createMarkdownPages } from '../../../../src/control-plane/portal/front/markdown-pages.ts';
import { createOutline } from '../../../../src/control-plane/portal/front/outline.ts';

const MAX_PAGE = 4_000_000;
const LONG = 'x'.repeat(200_000);
const operation = { operationId: 'a', responses: {} };

async function createPages(document: JsonObject) {
  return createMarkdownPages({
    siteTitle: 'Pets',
    description: null,
    contact: null,
    outline: await createOutline(document, []),
    guides: new Map(),
    teamPages: new Map(),
    eventTypes: () => [],
    offeredPlans: async () => [],
    apiUrl: () => 'https://api.example.com',
  });
}

async function pageLength(document: JsonObject, path: string): Promise<number> {
  const pages = await createPages(document);
  const found = pages.find(path);
  const page = found === null ? null : await pages.page(found);
  return page?.length ?? 0;
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, value: unknown) => Object.fromEntries(many(count, (at) => [`name-${at}`, value]));

test.each<[string, string, JsonObject]>([
  [
    'parameters',
    'reference/a.md',
    {
      paths: { '/a': { get: { ...operation, parameters: many(5000, () => ({ $ref: '#/components/parameters/a' })) } } },
      components: { parameters: { a: { name: 'a', in: 'query', description: LONG } } },
    },
  ],
  [
    'media types',
    'reference/a.md',
    {
      paths: {
        '/a': {
          get: {
            ...operation,
            responses: { 200: { content: named(5000, { schema: { $ref: '#/components/schemas/a' } }) } },
          },
        },
      },
      components: { schemas: { a: { description: LONG } } },
    },
  ],
  [
    'responses',
    'reference/a.md',
    {
      paths: { '/a': { get: { ...operation, responses: named(5000, { $ref: '#/components/responses/a' }) } } },
      components: { responses: { a: { description: LONG } } },
    },
  ],
  [
    'path items',
    'reference.md',
    {
      paths: Object.fromEntries(many(5000, (at) => [`/p${at}`, { $ref: '#/components/pathItems/a' }])),
      components: { pathItems: { a: { get: { summary: LONG } } } },
    },
  ],
  ['backticks', 'reference/a.md', { paths: { [`/${'` '.repeat(200_000)}`]: { get: operation } } }],
])('a Markdown page with many %s does not exceed the maximum size', async (_, path, document) => {
  const length = await pageLength(document, path);
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThan(MAX_PAGE);
});

/** Readers once saw only the name of a schema, which the page did not describe. */
test('the Markdown page of an operation that returns a list shows the schema of its items', async () => {
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Pet' } };
  const pages = await createPages({
    paths: { '/a': { get: { ...operation, responses: { 200: { content: { 'a/b': { schema } } } } } } },
    components: { schemas: { Pet: { properties: { name: { type: 'string' } } } } },
  });
  const page = await pages.page(pages.find('reference/a.md')!);
  expect(page).toContain('"name"');
  expect(page).not.toContain('$ref');
});

test('the Markdown page about the first call mentions access tokens if the API accepts them', async () => {
  const document = (security: object[]) => ({ security, paths: { '/a': { get: operation } } });
  const readGuide = async (security: object[]) => {
    const pages = await createPages(document(security));
    return pages.page(pages.find('docs/getting-started.md')!);
  };
  expect(await readGuide([{ ApiKey: [] }, { AccessToken: [] }])).toContain('An access token of an identity provider');
  expect(await readGuide([{ ApiKey: [] }])).not.toContain('token');
});
