/**
 * The document that consumers get lost the names and descriptions of tags, kept components that nothing used any more,
 * and, of several services, named schemas by discriminators that nothing had.
 */
import { expect, test } from '@jest/globals';
import { publicDocument } from '../../src/upstreams/public-document/public-document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answering = (schema: object) => ({
  get: { tags: ['pets'], responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
});

function serviceOf(name: string, paths: object, schemas: object, tags: object[] = []) {
  const value = { openapi: '3.1.0', info: { title: name, version: '1' }, tags, paths, components: { schemas } };
  return { name, document: { file: '', operations: [], value } };
}

const own = { tags: [{ name: 'gateway', description: 'Of the gateway' }], paths: {}, components: {} };

interface Document {
  readonly tags: object[];
  readonly paths: Record<string, unknown>;
  readonly components: { readonly schemas: Record<string, object> };
}
const publish = (...sources: ReturnType<typeof serviceOf>[]) => publicDocument(sources, own) as unknown as Document;
const schemasOf = (document: Document) => Object.keys(document.components.schemas);

test('tags keep their names, descriptions and order; of two with one name, the first', () => {
  const pets = { name: 'pets', description: 'Animals' };
  const one = serviceOf('one', {}, {}, [pets, { name: 'orders' }]);
  const other = serviceOf('other', {}, {}, [{ name: 'pets', description: 'Others' }]);
  expect(publish(one, other).tags).toEqual([pets, { name: 'orders' }, own.tags[0]]);
});

test('components stay that a path uses, by way of others too; those that nothing uses go', () => {
  const schemas = {
    Pet: { properties: { owner: ref('Owner'), next: ref('Pet') } },
    Owner: { type: 'object' },
    'a/b~c': { type: 'string' },
    Unused: { properties: { also: ref('AlsoUnused') } },
    AlsoUnused: { type: 'object' },
  };
  const paths = { '/pets': answering(ref('Pet')), '/odd': answering(ref('a~1b~0c')) };
  expect(schemasOf(publish(serviceOf('one', paths, schemas)))).toEqual(['Pet', 'Owner', 'a/b~c', 'GatewayError']);
});

test('the schemas that a discriminator names stay, with a mapping or without', () => {
  const discriminator = { propertyName: 'kind' };
  const schemas = {
    Cat: { type: 'object' },
    Dog: { type: 'object' },
    Mapped: { discriminator: { ...discriminator, mapping: { cat: 'Cat', dog: '#/components/schemas/Dog' } } },
    Base: { discriminator },
    Derived: { allOf: [ref('Base'), { type: 'object' }] },
    Other: { allOf: [ref('Dog')] },
  };
  const paths = { '/mapped': answering(ref('Mapped')), '/base': answering(ref('Base')) };
  expect(schemasOf(publish(serviceOf('one', paths, schemas)))).toEqual([
    'Cat',
    'Dog',
    'Mapped',
    'Base',
    'Derived',
    'GatewayError',
  ]);
});

test('of several services, whatever names a component follows its new name', () => {
  const mapping = { cat: 'Cat', dog: '#/components/schemas/Dog' };
  const schemas = {
    Cat: { type: 'object' },
    Dog: { type: 'object' },
    Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } },
  };
  const document = publish(
    serviceOf('one', { '/pets': answering(ref('Pet')) }, schemas),
    serviceOf('two', { '/cats': answering(ref('Cat')) }, schemas),
  );
  expect(schemasOf(document)).toEqual(['one.Cat', 'one.Dog', 'one.Pet', 'two.Cat', 'GatewayError']);
  expect(document.components.schemas['one.Pet']).toEqual({
    oneOf: [ref('one.Cat'), ref('one.Dog')],
    discriminator: { propertyName: 'kind', mapping: { cat: 'one.Cat', dog: '#/components/schemas/one.Dog' } },
  });
});
