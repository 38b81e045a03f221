import { describe, expect, test } from '@jest/globals';
import { allowedValues, constraintWords, typeWords } from './constraints.ts';
import { ApiDocument, type OneWay } from './document.ts';
import { bodyText } from './sample-body.ts';
import { sampleValue } from './sample-value.ts';
import { readSchema } from './schema.ts';

const document = new ApiDocument({
  components: {
    schemas: {
      Id: { type: 'integer', format: 'int64', description: 'An id' },
      Pet: { type: 'object', required: ['id'], properties: { id: { $ref: '#/components/schemas/Id' } } },
      Dog: {
        allOf: [
          { $ref: '#/components/schemas/Pet' },
          { required: ['bark'], properties: { bark: { type: 'boolean' } } },
        ],
        description: 'A dog',
      },
      Tree: {
        type: 'object',
        required: ['children', 'parent'],
        properties: {
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          parent: { $ref: '#/components/schemas/Tree' },
        },
      },
      Loop: { $ref: '#/components/schemas/Loop' },
      Nest: { allOf: [{ $ref: '#/components/schemas/Nest' }], type: 'object' },
      'a/b~c': { type: 'string' },
    },
  },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const typeOf = (schema: unknown) => typeWords(document, readSchema(document, schema));

test.each([
  [ref('Id'), 'integer (int64)'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ type: 'string', nullable: true }, 'string or null'],
  [{ oneOf: [ref('Pet'), { type: 'null' }] }, 'object or null'],
  [{ oneOf: [ref('Pet'), ref('Dog')] }, 'Pet or Dog'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
  [{ type: 'array', items: ref('Pet') }, 'list of Pet'],
  [{ properties: {} }, 'object'],
  [{}, 'anything'],
  [ref('a~1b~0c'), 'string'],
  [ref('Loop'), 'anything'],
  [ref('Nowhere'), 'anything'],
  [{ $ref: 'https://elsewhere.example/schema.json' }, 'anything'],
  [{ $ref: '#/__proto__/constructor' }, 'anything'],
])('the type of %j in words is %s', (schema, words) => {
  expect(typeOf(schema)).toBe(words);
});

test('allOf is merged, and keywords beside a reference take precedence', () => {
  const dog = readSchema(document, { ...ref('Dog'), description: 'My dog' });
  expect(dog).toMatchObject({ name: 'Dog', types: ['object'], description: 'My dog' });
  expect(dog.properties.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['bark', true],
  ]);
});

test('recursive schemas end', () => {
  expect(readSchema(document, ref('Nest')).types).toEqual(['object']);
  expect(JSON.stringify(sampleValue(document, ref('Tree'))).length).toBeLessThan(2000);
});

describe('constraints in words', () => {
  test.each([
    [{ minimum: 1, maximum: 100 }, '1 to 100'],
    [{ minimum: 1, exclusiveMinimum: true }, 'more than 1'],
    [{ exclusiveMinimum: 1 }, 'more than 1'],
    [{ minLength: 1, maxLength: 200 }, '1 to 200 characters'],
    [{ maxItems: 1 }, 'at most 1 entry'],
    [{ minItems: 2, maxItems: 2 }, '2 entries'],
    [{ default: 20 }, 'default: 20'],
    [{ default: '' }, 'default: '],
  ])('%j', (schema, words) => {
    expect(constraintWords(schema)).toEqual([words]);
  });

  test('enumerated values are listed', () => {
    expect(allowedValues({ enum: ['a', 1, null] })).toEqual(['a', '1', 'null']);
    expect(allowedValues({ const: 'x' })).toEqual(['x']);
  });
});

test.each([
  [{ type: 'object', required: ['a'], properties: { a: ref('Id') } }, { a: 1 }],
  [{ oneOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] }, '2026-12-24'],
  [{ type: 'string', enum: ['x', 'y'] }, 'x'],
  [{ type: 'array', items: { type: 'boolean' } }, [true]],
  [{ type: 'integer', exclusiveMinimum: 5 }, 6],
  [{ type: 'string', minLength: 6 }, 'textxx'],
])('a sample of %j is %j', (schema, value) => {
  expect(sampleValue(document, schema)).toEqual(value);
});

test('a sample has the chosen variant', () => {
  const kind = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } };
  const animals = new ApiDocument({
    components: {
      schemas: {
        Animal: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
        Cat: { title: 'Meow', allOf: [ref('Animal'), { properties: { hunts: { type: 'boolean' } } }] },
        Dog: { title: 'Woof', allOf: [ref('Animal'), { properties: { barks: { type: 'boolean' } } }] },
      },
    },
  });
  const { choices } = readSchema(animals, kind);
  expect(choices).toMatchObject({ by: 'kind', of: [{ name: 'Meow' }, { name: 'Woof' }] });
  // Without a mapping, the discriminator has the name of the component as its value.
  expect(sampleValue(animals, kind)).toEqual({ kind: 'Cat', hunts: true });
  const variants = new Map([[choices!.key, 'Woof']]);
  expect(sampleValue(animals, kind, variants)).toEqual({ kind: 'Dog', barks: true });
  // The property `pet` is optional and not simple, so the example leaves it out.
  const owner = { type: 'object', properties: { name: { type: 'string' }, pet: kind } };
  expect(sampleValue(animals, owner)).toEqual({ name: 'text' });
  expect(sampleValue(animals, owner, variants)).toEqual({ name: 'text', pet: { kind: 'Dog', barks: true } });
  // The object would be empty without its only property, so the example keeps it.
  expect(sampleValue(animals, { type: 'object', properties: { pet: kind } })).toEqual({
    pet: { kind: 'Cat', hunts: true },
  });
});

test('a schema that contains itself by a discriminator is recognized', () => {
  const circle = new ApiDocument({
    components: {
      schemas: {
        B: { type: 'array', items: { oneOf: [ref('B'), ref('C')], discriminator: { propertyName: 'k' } } },
        C: { type: 'object' },
      },
    },
  });
  const [first] = readSchema(circle, readSchema(circle, ref('B')).items).choices?.of ?? [];
  expect(readSchema(circle, first?.schema).reference).toBe('#/components/schemas/B');
});

test("a document's example is shown until a variant is chosen that it does not have", () => {
  const schema = {
    oneOf: [
      { title: 'Text', type: 'string' },
      { title: 'Number', type: 'number' },
    ],
  };
  const media = {
    type: 'application/json',
    schema,
    examples: [
      { name: 'one', summary: null, value: 'a' },
      { name: 'other', summary: null, value: 2 },
    ],
  };
  const key = readSchema(document, schema).choices!.key;
  const of = (variant: string, example = '') =>
    bodyText(document, media, { variants: new Map([[key, variant]]), example });
  expect(bodyText(document, media)).toBe('"a"');
  expect(of('Text')).toBe('"a"');
  expect(of('Number')).toBe('1');
  expect(of('Number', 'other')).toBe('2');
});

test('requests have no readOnly fields, and responses no writeOnly fields', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { allOf: [ref('Id'), { readOnly: true }] },
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
    },
  };
  const names = (unsent: OneWay) => {
    const sent = document.without(unsent);
    expect(Object.keys(sampleValue(sent, schema) as object)).toEqual(
      readSchema(sent, schema).properties.map(({ name }) => name),
    );
    return readSchema(sent, schema).properties.map(({ name }) => name);
  };
  expect(names('readOnly')).toEqual(['name', 'password']);
  expect(names('writeOnly')).toEqual(['id', 'name']);
});

/** Pages with these schemas once failed, or never finished rendering. */
describe('invalid schemas', () => {
  const names = Array.from({ length: 30 }, (_, index) => `f${index}`);
  const hostile = new ApiDocument({
    components: {
      schemas: {
        Only: { oneOf: [ref('Only'), { type: 'null' }] },
        Many: { allOf: names.map(() => ref('Many')), type: 'object' },
        Wide: {
          type: 'object',
          required: names,
          properties: Object.fromEntries(names.map((name) => [name, ref('Wide')])),
        },
      },
    },
  });

  test('a choice of only itself', () => {
    expect(readSchema(hostile, ref('Only'))).toMatchObject({ nullable: true });
  });

  test('all of itself, repeated', () => {
    expect(readSchema(hostile, ref('Many'))).toMatchObject({ types: ['object'] });
  });

  test('an object that requires many of its kind', () => {
    expect(Object.keys(sampleValue(hostile, ref('Wide')) as object)).toEqual(names);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])('the format %s', (format) => {
    expect(sampleValue(hostile, { type: 'string', format })).toBe('text');
  });

  test('an impossibly long text', () => {
    expect(sampleValue(hostile, { type: 'string', minLength: 1e300 })).toHaveLength(1000);
  });
});
