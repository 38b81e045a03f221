import { expect, test } from '@jest/globals';
import { ApiDocument } from './document.ts';
import { readSchema } from './schema.ts';
import { isXml, xmlText } from './xml-text.ts';

const document = new ApiDocument({
  components: {
    schemas: {
      Trip: {
        type: 'object',
        xml: { name: 'trip', prefix: 't', namespace: 'https://trips.example' },
        properties: {
          id: { type: 'string', xml: { attribute: true } },
          stops: {
            type: 'array',
            xml: { name: 'route', wrapped: true },
            items: { type: 'string', xml: { name: 'stop' } },
          },
          tag: { type: 'array', items: { type: 'string' } },
          fare: { type: 'object', properties: { price: { type: 'number' } } },
        },
      },
      'trains.Fare': { type: 'object', properties: { price: { type: 'number' } } },
    },
  },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = (schema: unknown, value: unknown, variants = new Map<object, string>()) =>
  xmlText(document, schema, value, variants);

test('elements and attributes are named as the schema says', () => {
  const value = { id: 'a"<', stops: ['Berlin', 'Ulm'], tag: ['x', 'y'], fare: { price: 9.5 } };
  expect(text(ref('Trip'), value).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<t:trip xmlns:t="https://trips.example" id="a&quot;&lt;">',
    '  <route>',
    '    <stop>Berlin</stop>',
    '    <stop>Ulm</stop>',
    '  </route>',
    '  <tag>x</tag>',
    '  <tag>y</tag>',
    '  <fare>',
    '    <price>9.5</price>',
    '  </fare>',
    '</t:trip>',
  ]);
});

test('the outermost element has the name of the schema, without that of its service', () => {
  expect(text(ref('trains.Fare'), { price: 1 })).toContain('<Fare>\n  <price>1</price>\n</Fare>');
  expect(text({ type: 'array', items: ref('trains.Fare') }, [{ price: 1 }])).toMatch(/<root>[^]*<\/root>$/);
});

test('a list has one outermost element, and a list in a field has none of its own', () => {
  expect(text({ type: 'array', items: ref('trains.Fare') }, [])).toMatch(/<root>\n<\/root>$/);
  const schema = { type: 'object', properties: { root: { type: 'array', items: { type: 'string' } } } };
  expect(text(schema, { root: ['a', 'b'] })).toMatch(/<root>\n {2}<root>a<\/root>\n {2}<root>b<\/root>\n<\/root>$/);
});

test('a variant is named as its own schema says', () => {
  const schema = { oneOf: [ref('Trip'), ref('trains.Fare')] };
  expect(text(schema, { id: 'a' })).toContain('<t:trip xmlns:t="https://trips.example" id="a">');
  const { key, of } = readSchema(document, schema).choices!;
  expect(text(schema, { price: 1 }, new Map([[key, of[1]!.name]]))).toContain('<Fare>');
});

test('names that are not allowed in XML are replaced, and unknown fields are kept', () => {
  expect(text({}, { 'a b><': 1, toString: null, größe: 2, '1st': 3 })).toContain(
    '<a_b__>1</a_b__>\n  <toString></toString>\n  <größe>2</größe>\n  <_1st>3</_1st>',
  );
});

test.each([
  ['application/xml', true],
  ['text/xml; charset=utf-8', true],
  ['application/atom+xml', true],
  ['application/json', false],
  ['text/plain; of=/xml', false],
])('%s is XML: %s', (type, is) => {
  expect(isXml(type)).toBe(is);
});
