import { expect, test } from '@jest/globals';
import { createOutline } from '../../../../src/control-plane/portal/front/outline.ts';
import { withEveryPause } from '../../../support/every-pause.ts';

test('the outline of a document is created with pauses, so that requests are served in between', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `name${index}`);
  const paths = Object.fromEntries(names.map((name) => [`/${name}`, { get: { tags: [name] } }]));
  const value = { paths, tags: names.map((name) => ({ name, description: '!['.repeat(10_000) })) };
  const operations = names.map((name) => ({ tags: [name] }));
  const { result, turns } = await withEveryPause(() =>
    createOutline(value, [{ name: 'service', document: { value, operations } }]),
  );
  expect(turns).toBeGreaterThanOrEqual(2 * names.length);
  expect([result.operations.size, result.services[0]?.tags.length]).toEqual([1000, 1000]);
});

test('parameters that many paths share are read only a few times', async () => {
  const shared = { $ref: '#/components/pathItems/shared' };
  const paths = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/p${index}`, shared]));
  const needed = { name: 'a', in: 'query', required: true };
  let count = 0;
  const counted = {
    name: 'b',
    in: 'query',
    get required() {
      count++;
      return false;
    },
  };
  const parameters = [...Array.from({ length: 500 }, () => counted), needed];
  const document = { paths, components: { pathItems: { shared: { parameters, get: {} } } } };
  const { firstCall } = await createOutline(document, []);
  expect(count).toBeLessThan(5000);
  expect(firstCall).toEqual({ path: '/_gateway/usage', needsKey: true, acceptsToken: false, response: null });
});

test('the first call has the example of its response, if that is short JSON of a success', async () => {
  const findResponse = async (responses: object) => {
    const { firstCall } = await createOutline({ paths: { '/pets': { get: { responses } } } }, []);
    return firstCall.response;
  };
  const json = (media: object) => ({ content: { 'text/html': { example: '<p>' }, 'application/json': media } });
  expect(await findResponse({ 404: json({ example: { code: 1 } }), 200: json({ example: { id: 1 } }) })).toEqual({
    status: 200,
    mediaType: 'application/json',
    body: '{\n  "id": 1\n}',
  });
  expect(await findResponse({ 200: json({ schema: { type: 'array', example: [] } }) })).toMatchObject({ body: '[]' });
  expect(await findResponse({ 200: { content: { 'text/html': { example: '<p>' } } } })).toBeNull();
  expect(await findResponse({ 200: json({ example: 'x'.repeat(5000) }) })).toBeNull();
  expect(await findResponse({ '2XX': json({ example: 1 }), default: json({ example: 1 }) })).toBeNull();
});

test('summaries keep the text of links, even with parentheses in the link, and leave unclosed links as they are', async () => {
  const shown = async (description: string) => {
    const value = { info: { title: 'Files', description } };
    const { services } = await createOutline(value, [{ name: 'files', document: { value, operations: [] } }]);
    return services[0]?.summary;
  };
  expect(await shown('See [the docs](https://example.com/a_(b)) and ![a picture](a.png).')).toBe(
    'See the docs and a picture.',
  );
  expect(await shown('An ![open [one](x')).toBe('An ![open [one](x');
});
