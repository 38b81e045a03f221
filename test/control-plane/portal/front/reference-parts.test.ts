import { expect, test } from '@jest/globals';
import { atOnce } from '../../../../src/base/compute-in-turns.ts';
import { outlineOf } from '../../../../src/control-plane/portal/front/outline.ts';
import { ReferenceParts } from '../../../../src/control-plane/portal/front/reference-parts.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const object = (...names: string[]) => ({ type: 'object', properties: Object.fromEntries(names.map((n) => [n, {}])) });
const ok = (schema: object) => ({ responses: { 200: json(schema) } });

test('tags keep their display names', async () => {
  const tags = [{ name: 'pets', 'x-displayName': 'Your pets', 'x-other': 1 }];
  const value = { tags, paths: { '/pets': { get: { tags: ['pets'], ...ok({}) } } } };
  const outline = atOnce(
    outlineOf(value, [{ name: 'petstore', document: { value, operations: [{ tags: ['pets'] }] } }]),
  );
  const { tags: listed } = await new ReferenceParts(outline).index();
  expect(listed).toEqual([{ name: 'pets', 'x-displayName': 'Your pets' }]);
  expect(outline.services[0]?.tags).toEqual([{ name: 'pets', title: 'Your pets', description: null, operations: 1 }]);
});

test('for each field, operations that take it come before those that return it, and the least nested come first', async () => {
  const Event = { properties: { payload: { $ref: '#/components/schemas/Release' } } };
  const parts = new ReferenceParts(
    atOnce(
      outlineOf(
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
