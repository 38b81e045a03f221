import { expect, test } from '@jest/globals';
import { ApiDocument } from './document.ts';
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

test('elements and attributes are named as the schema says', () => {
  const value = { id: 'a"<', stops: ['Berlin', 'Ulm'], tag: ['x', 'y'], fare: { price: 9.5 } };
  expect(xmlText(document, ref('Trip'), value).split('\n')).toEqual([
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
  expect(xmlText(document, ref('trains.Fare'), { price: 1 })).toContain('<Fare>\n  <price>1</price>\n</Fare>');
  expect(xmlText(document, { type: 'array', items: ref('trains.Fare') }, [{ price: 1 }])).toMatch(
    /<root>[^]*<\/root>$/,
  );
});

test('names that are not allowed in XML are replaced, and unknown fields are kept', () => {
  expect(xmlText(document, {}, { 'a b><': 1, toString: null })).toContain('<a_b__>1</a_b__>\n  <toString></toString>');
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
