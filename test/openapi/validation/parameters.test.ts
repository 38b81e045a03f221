/** Parameters of every style and place are read correctly. The examples come from OpenAPI 3.1.1 (4.8.12.6). */
import { expect, test } from '@jest/globals';
import { SchemaSet } from '../../../src/openapi/validation/schema-set.ts';
import { HeadReader, prepareParameter } from '../../../src/openapi/validation/parameters.ts';

/** Schemas that accept exactly the values of the examples. */
const SCHEMAS = {
  empty: { const: '' },
  string: { const: 'blue' },
  array: { type: 'array', const: ['blue', 'black', 'brown'] },
  object: {
    type: 'object',
    properties: { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } },
    const: { R: 100, G: 200, B: 150 },
  },
} as const;

type Sent = Partial<Record<'path' | 'query' | 'header' | 'cookie', string>>;

function check(parameter: Record<string, unknown>, sent: Sent & { readonly headers?: readonly string[] }): string[] {
  const whole = { name: 'color', ...parameter };
  const checkParameter = prepareParameter(whole, new SchemaSet({}, false));
  const { path, query = '', header, cookie, headers = [] } = sent;
  const rawHeaders = [
    ...(header === undefined ? [] : ['Color', header]),
    ...(cookie === undefined ? [] : ['Cookie', cookie]),
    ...headers,
  ];
  const pathParameters = new Map(path === undefined ? [] : [['color', path]]);
  const reader = new HeadReader({ rawHeaders, query, pathParameters, hasBody: false });
  return checkParameter(reader).map((violation) => `${violation.path} ${violation.rule}`);
}

type Row = readonly [place: keyof Sent, style: string, explode: boolean, kind: keyof typeof SCHEMAS, text: string];

const ROWS: readonly Row[] = [
  ['path', 'matrix', false, 'empty', ';color'],
  ['path', 'matrix', false, 'string', ';color=blue'],
  ['path', 'matrix', false, 'array', ';color=blue,black,brown'],
  ['path', 'matrix', false, 'object', ';color=R,100,G,200,B,150'],
  ['path', 'matrix', true, 'empty', ';color'],
  ['path', 'matrix', true, 'string', ';color=blue'],
  ['path', 'matrix', true, 'array', ';color=blue;color=black;color=brown'],
  ['path', 'matrix', true, 'object', ';R=100;G=200;B=150'],
  ['path', 'label', false, 'empty', '.'],
  ['path', 'label', false, 'string', '.blue'],
  ['path', 'label', false, 'array', '.blue,black,brown'],
  // These are the formats of OpenAPI 3.0.
  ['path', 'label', false, 'array', '.blue.black.brown'],
  ['path', 'label', false, 'object', '.R,100,G,200,B,150'],
  ['path', 'label', true, 'empty', '.'],
  ['path', 'label', true, 'string', '.blue'],
  ['path', 'label', true, 'array', '.blue.black.brown'],
  ['path', 'label', true, 'object', '.R=100.G=200.B=150'],
  ['path', 'simple', false, 'string', 'blue'],
  ['path', 'simple', false, 'array', 'blue,black,brown'],
  ['path', 'simple', false, 'object', 'R,100,G,200,B,150'],
  ['path', 'simple', true, 'string', 'blue'],
  ['path', 'simple', true, 'array', 'blue,black,brown'],
  ['path', 'simple', true, 'object', 'R=100,G=200,B=150'],
  ['header', 'simple', false, 'empty', ''],
  ['header', 'simple', false, 'string', 'blue'],
  ['header', 'simple', false, 'array', 'blue, black,brown'],
  ['header', 'simple', false, 'object', 'R,100,G,200,B,150'],
  ['header', 'simple', true, 'array', 'blue,black,brown'],
  ['header', 'simple', true, 'object', 'R=100,G=200,B=150'],
  ['query', 'form', false, 'empty', 'color='],
  ['query', 'form', false, 'string', 'color=blue'],
  ['query', 'form', false, 'array', 'color=blue,black,brown'],
  ['query', 'form', false, 'object', 'color=R,100,G,200,B,150'],
  ['query', 'form', true, 'empty', 'color='],
  ['query', 'form', true, 'string', 'color=blue'],
  ['query', 'form', true, 'array', 'color=blue&color=black&color=brown'],
  ['query', 'form', true, 'object', 'R=100&G=200&B=150'],
  ['query', 'spaceDelimited', false, 'array', 'color=blue%20black%20brown'],
  ['query', 'spaceDelimited', false, 'array', 'color=blue+black+brown'],
  ['query', 'spaceDelimited', false, 'object', 'color=R%20100%20G%20200%20B%20150'],
  ['query', 'spaceDelimited', true, 'array', 'color=blue&color=black&color=brown'],
  ['query', 'pipeDelimited', false, 'array', 'color=blue%7Cblack%7Cbrown'],
  ['query', 'pipeDelimited', false, 'array', 'color=blue|black|brown'],
  ['query', 'pipeDelimited', false, 'object', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', 'pipeDelimited', true, 'array', 'color=blue&color=black&color=brown'],
  ['query', 'deepObject', true, 'object', 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['query', 'deepObject', false, 'object', 'color[R]=100&color[G]=200&color[B]=150'],
  ['cookie', 'form', false, 'empty', 'color='],
  ['cookie', 'form', false, 'string', 'other=1; color=blue'],
  ['cookie', 'form', false, 'array', 'color=blue,black,brown'],
  ['cookie', 'form', false, 'object', 'color=R,100,G,200,B,150'],
  ['cookie', 'form', true, 'string', 'color=blue'],
  ['cookie', 'form', true, 'array', 'color=blue; color=black; color=brown'],
  ['cookie', 'form', true, 'array', 'color=blue&color=black&color=brown'],
  ['cookie', 'form', true, 'object', 'R=100; G=200; B=150'],
  ['cookie', 'form', true, 'object', 'R=100&G=200&B=150'],
];

test.each(ROWS)(
  'a parameter in %s with style %s, explode %s and the value %s is read from: %s',
  (place, style, explode, kind, text) => {
    const parameter = { in: place, style, explode, schema: SCHEMAS[kind] };
    expect(check(parameter, { [place]: text })).toEqual([]);
    // With another text, the same parameter is rejected.
    expect(
      check(parameter, { [place]: text.replaceAll(/blue|100/g, '7') + (kind === 'empty' ? 'x' : '') }),
    ).not.toEqual([]);
  },
);

const LIST = { type: 'array', items: { type: 'integer' }, maxItems: 3 };

test.each<readonly [string, Record<string, unknown>, Parameters<typeof check>[1], string[]]>([
  ['a required parameter is missing', { in: 'query', required: true, schema: {} }, {}, ['/query/color required']],
  ['an optional parameter is missing', { in: 'query', schema: { type: 'integer' } }, {}, []],
  [
    'a single value is repeated',
    { in: 'query', schema: { type: 'integer' } },
    { query: 'color=1&color=2' },
    ['/query/color style'],
  ],
  [
    'a list without explode is repeated',
    { in: 'query', explode: false, schema: LIST },
    { query: 'color=1,2&color=3' },
    ['/query/color style'],
  ],
  [
    'an item of a list is invalid',
    { in: 'query', schema: LIST },
    { query: 'color=1&color=x' },
    ['/query/color/1 type'],
  ],
  [
    'a list has too many items',
    { in: 'query', schema: LIST },
    { query: 'color=1&color=2&color=3&color=4' },
    ['/query/color maxItems'],
  ],
  [
    'an empty text is no number',
    { in: 'query', schema: { type: 'integer' } },
    { query: 'color=' },
    ['/query/color type'],
  ],
  [
    'an empty value is allowed',
    { in: 'query', allowEmptyValue: true, schema: { type: 'integer' } },
    { query: 'color' },
    [],
  ],
  [
    'a number has a leading zero',
    { in: 'query', schema: { type: 'integer' } },
    { query: 'color=007' },
    ['/query/color type'],
  ],
  [
    'a boolean is not spelled like in JSON',
    { in: 'query', schema: { type: 'boolean' } },
    { query: 'color=True' },
    ['/query/color type'],
  ],
  [
    'a number is exact',
    { in: 'query', schema: { type: 'integer', format: 'int64' } },
    { query: 'color=9223372036854775808' },
    ['/query/color format'],
  ],
  ['digits are a text', { in: 'query', schema: { type: 'string', pattern: '^[0-9]{3}$' } }, { query: 'color=007' }, []],
  [
    'one of several types',
    { in: 'query', schema: { type: ['integer', 'string'], maximum: 5, maxLength: 2 } },
    { query: 'color=7' },
    [],
  ],
  ['null', { in: 'query', schema: { type: ['integer', 'null'] } }, { query: 'color=null' }, []],
  ['the name is encoded', { in: 'query', name: 'a[b]', schema: { const: 'x' } }, { query: 'a%5Bb%5D=x' }, []],
  ['the value is encoded', { in: 'query', schema: { const: 'a b&c' } }, { query: 'color=a+b%26c' }, []],
  [
    'an encoded comma is data',
    { in: 'query', schema: { type: 'array', const: ['a,b'] } },
    { query: 'color=a%2Cb' },
    [],
  ],
  ['clients encode the commas of lists', { in: 'query', explode: false, schema: LIST }, { query: 'color=1%2C2' }, []],
  ['a text is no UTF-8', { in: 'query', schema: { type: 'string' } }, { query: 'color=%FF' }, ['/query/color style']],
  [
    'the text of a path is no UTF-8',
    { in: 'path', schema: { type: 'string' } },
    { path: '%ff' },
    ['/path/color style'],
  ],
  ['a slash is encoded in a path', { in: 'path', schema: { const: 'a/b' } }, { path: 'a%2Fb' }, []],
  ['a label without its dot', { in: 'path', style: 'label', schema: {} }, { path: 'blue' }, ['/path/color style']],
  ['a matrix of another name', { in: 'path', style: 'matrix', schema: {} }, { path: ';size=1' }, ['/path/color style']],
  [
    'an object has a name without value',
    { in: 'path', schema: SCHEMAS.object },
    { path: 'R,100,G' },
    ['/path/color style'],
  ],
  [
    'headers have no case',
    { in: 'header', name: 'X-Trace', schema: { const: 'a' } },
    { headers: ['x-trace', 'a'] },
    [],
  ],
  ['a header list in two fields', { in: 'header', schema: LIST }, { headers: ['Color', '1', 'Color', '2, 3'] }, []],
  ['a header is not decoded', { in: 'header', schema: { const: 'a%20b' } }, { header: 'a%20b' }, []],
  ['a cookie in quotes', { in: 'cookie', schema: { const: 'a+b' } }, { cookie: 'color="a+b"' }, []],
  ['a cookie is encoded', { in: 'cookie', schema: { const: 'a b' } }, { cookie: 'color=a%20b' }, []],
  [
    'JSON in a parameter',
    { in: 'query', content: { 'application/json': { schema: { required: ['a'] } } } },
    { query: 'color=%7B%22a%22:1%7D' },
    [],
  ],
  [
    'JSON in a parameter is invalid',
    { in: 'query', content: { 'application/json': { schema: { required: ['a'] } } } },
    { query: 'color=%7B%7D' },
    ['/query/color/a required'],
  ],
  [
    'what should be JSON is not',
    { in: 'query', content: { 'application/json': { schema: {} } } },
    { query: 'color=%7B' },
    ['/query/color content'],
  ],
  [
    'lists within an object are not defined',
    { in: 'query', style: 'deepObject', schema: SCHEMAS.object },
    { query: 'color[R][]=1' },
    [],
  ],
  [
    'a property is unknown',
    {
      in: 'query',
      style: 'deepObject',
      schema: { type: 'object', additionalProperties: false, properties: { R: {} } },
    },
    { query: 'color[x]=1' },
    ['/query/color/x additionalProperties'],
  ],
  [
    'a name of every object',
    { in: 'query', name: '__proto__', schema: { type: 'integer' } },
    { query: '__proto__=x' },
    ['/query/__proto__ type'],
  ],
])('a parameter is checked correctly if %s', (_title, parameter, sent, expected) => {
  expect(check(parameter, sent)).toEqual(expected);
});
