import { expect, test } from '@jest/globals';
import { createOutline } from '../../../../src/control-plane/portal/front/outline.ts';
import { ReferenceParts } from '../../../../src/control-plane/portal/front/reference-parts.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const object = (...names: string[]) => ({ type: 'object', properties: Object.fromEntries(names.map((n) => [n, {}])) });
const ok = (schema: object) => ({ responses: { 200: json(schema) } });

test('tags of the API document keep their display names', async () => {
  const tags = [{ name: 'pets', 'x-displayName': 'Your pets', 'x-other': 1 }];
  const value = { tags, paths: { '/pets': { get: { tags: ['pets'], ...ok({}) } } } };
  const outline = await createOutline(value, [
    { name: 'petstore', document: { value, operations: [{ tags: ['pets'] }] } },
  ]);
  const { tags: listed } = await new ReferenceParts(outline).index();
  expect(listed).toEqual([{ name: 'pets', 'x-displayName': 'Your pets' }]);
  expect(outline.services[0]?.tags).toEqual([{ name: 'pets', title: 'Your pets', description: null, operations: 1 }]);
});

test('for each field, operations that take it are found before those that return it, least nested first', async () => {
  const Event = { properties: { payload: { $ref: '#/components/schemas/Release' } } };
  const parts = new ReferenceParts(
    await createOutline(
      {
        paths: {
          '/events': { get: { operationId: 'listEvents', ...ok({ $ref: '#/components/schemas/Event' }) } },
          '/latest': { get: { operationId: 'latest', ...ok({ $ref: '#/components/schemas/Release' }) } },
          '/notes': {
            post: {
              operationId: 'notes',
              requestBody: json(object('a', 'b', 'tag_name')),
              ...ok(object('tag_name')),
            },
          },
          '/releases': { post: { operationId: 'create', requestBody: json(object('tag_name', 'a')), ...ok({}) } },
        },
        components: { schemas: { Event, Release: object('tag_name') } },
      },
      [],
    ),
  );
  const { operations, fields } = JSON.parse(String((await parts.searchIndex()).body)) as {
    operations: string[];
    fields: Record<string, number[]>;
  };
  const having = (name: string) => fields[name]?.map((at) => operations[at]);
  expect(having('tag_name')).toEqual(['create', 'notes', 'latest', 'listEvents']);
  expect(having('a')).toEqual(['notes', 'create']);
  expect(having('payload')).toEqual(['listEvents']);
});

/** Creates a document with many operations, each of which returns 60 fields. */
function manyOperations(count: number) {
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/p${at}`,
      { get: { operationId: `op${at}`, ...ok({ $ref: '#/components/schemas/All' }) } },
    ]),
  );
  const All = object(...Array.from({ length: 60 }, (_, at) => `f${at}`));
  return createOutline({ paths, components: { schemas: { All } } }, []);
}

test('the documentation of an operation does not wait until the whole document can be searched', async () => {
  const parts = new ReferenceParts(await manyOperations(5000));
  const done: string[] = [];
  const search = parts.searchIndex().then(() => done.push('search'));
  const part = parts.part({ kind: 'operation', name: 'op4999' }).then(() => done.push('part'));
  await Promise.all([search, part]);
  expect(done).toEqual(['part', 'search']);
});

test('only the nearest fields of each operation are indexed, so that the search index stays small', async () => {
  const { body } = await new ReferenceParts(await manyOperations(20_000)).searchIndex();
  const { fields } = JSON.parse(String(body)) as { fields: Record<string, number[]> };
  expect(Object.keys(fields)).toEqual(Array.from({ length: 50 }, (_, at) => `f${at}`));
  expect(fields['f49']).toHaveLength(20_000);
});

test('the list of operations has only short facts about each of them', async () => {
  const long = { deprecated: { x: 'y'.repeat(1000) }, 'x-stability-level': 'z'.repeat(1000), 'x-tollgate-cost': 3 };
  const document = { paths: { '/a': { get: { operationId: 'a', ...long, ...ok({}) } } } };
  const { paths } = await new ReferenceParts(await createOutline(document, [])).index();
  expect(paths).toEqual({ '/a': { get: { operationId: 'a', 'x-tollgate-cost': 3, security: [] } } });
});
