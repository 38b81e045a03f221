import { expect, test } from '@jest/globals';
import { outlineOf } from '../../../../src/control-plane/portal/front/outline.ts';

test('documents are read in steps, so that requests are served in between', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `name${index}`);
  const paths = Object.fromEntries(names.map((name) => [`/${name}`, { get: { tags: [name] } }]));
  const value = { paths, tags: names.map((name) => ({ name, description: '!['.repeat(10_000) })) };
  const operations = names.map((name) => ({ tags: [name] }));
  const steps = outlineOf(value, [{ name: 'service', document: { value, operations } }]);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count++;
  expect(count).toBeGreaterThanOrEqual(2 * names.length);
  expect([step.value.operations.size, step.value.services[0]?.tags.length]).toEqual([1000, 1000]);
});

test('parameters of a path item that many paths share are read once', () => {
  const shared = { $ref: '#/components/pathItems/shared' };
  const paths = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/p${index}`, shared]));
  const needed = { name: 'a', in: 'query', required: true };
  const parameters = [...Array.from({ length: 500 }, () => ({ name: 'b', in: 'query' })), needed];
  const document = { paths, components: { pathItems: { shared: { parameters, get: {} } } } };
  const steps = outlineOf(document, []);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count++;
  expect(count).toBeLessThan(5000);
  expect(step.value.firstCall).toEqual({ path: '/_gateway/usage', needsKey: true });
});

test('the words of links are kept in summaries, also of links with parentheses, and unclosed ones are left', () => {
  const shown = (description: string) => {
    const value = { info: { title: 'Files', description } };
    const step = outlineOf(value, [{ name: 'files', document: { value, operations: [] } }]).next();
    return step.done === true ? step.value.services[0]?.summary : null;
  };
  expect(shown('See [the docs](https://example.com/a_(b)) and ![a picture](a.png).')).toBe(
    'See the docs and a picture.',
  );
  expect(shown('An ![open [one](x')).toBe('An ![open [one](x');
});
