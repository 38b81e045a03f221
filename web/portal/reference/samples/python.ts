import type { CallBody } from '../call/body.ts';
import { isExactDouble, jsonLiteral } from './json-literal.ts';
import {
  hasRepeats,
  indentLines,
  isJsonCall,
  KEY_HEADER,
  KEY_VARIABLE,
  quoteText,
  type SampledCall,
  sampledHeaders,
  sampledText,
  findPartType,
} from './sample.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Formats a call as a program for Python 3 with `requests`. */
export function pythonSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey, body } = call;
  const headers = [
    ...(needsKey ? [`${quoteText(KEY_HEADER)}: os.environ[${quoteText(KEY_VARIABLE)}],`] : []),
    ...sampledHeaders(call).map(([name, value]) => `${quoteText(name)}: ${quoteText(value)},`),
  ];
  const [name, first] = METHODS.has(method) ? [method.toLowerCase(), []] : ['request', [`${quoteText(method)},`]];
  return [
    ...(needsKey ? ['import os'] : []),
    'import requests',
    '',
    `response = requests.${name}(`,
    ...indentLines(
      [
        ...first,
        `${quoteText(apiUrl + path)},`,
        ...(headers.length === 0 ? [] : ['headers={', ...indentLines(headers, '    '), '},']),
      ],
      '    ',
    ),
    ...(body === null ? [] : bodyArgument(body, call)),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

const SYNTAX = {
  words: { true: 'True', false: 'False', null: 'None' },
  text: quoteText,
  field: quoteText,
  indent: '    ',
  // Python's integers have no maximum size, so all integers are exact.
  isExact: (number: string) => /^-?\d+$/.test(number) || isExactDouble(number),
};

function bodyArgument(body: CallBody, call: SampledCall): readonly string[] {
  const argument = (text: string) => indentLines(`${text},`.split('\n'), '    ');
  switch (body.kind) {
    case 'text': {
      const object = isJsonCall(call.headers) ? jsonLiteral(body.text, SYNTAX) : null;
      if (object !== null) return argument(`json=${object}`);
      const text = sampledText(body.text, call);
      if (!/\n/.test(text) || /\r|"""|\\|[^\S\n ]|"$/.test(text)) return argument(`data=${quoteText(text)}.encode()`);
      return [`    data="""${text}""".encode(),`];
    }
    case 'form':
      return argument(`data=${pairs(body.fields)}`);
    case 'multipart':
      return argument(
        `files=[\n${body.parts
          .map((part) => {
            const { name, value, isFile } = part;
            const type = findPartType(part);
            const content = isFile ? `open(${quoteText(value)}, 'rb')` : quoteText(value);
            const words = [isFile ? quoteText(value) : 'None', content, ...(type === null ? [] : [quoteText(type)])];
            return `    (${quoteText(name)}, (${words.join(', ')})),`;
          })
          .join('\n')}\n]`,
      );
    case 'file':
    default:
      return argument(`data=open(${quoteText(body.fileName)}, 'rb')`);
  }
}

function pairs(fields: readonly (readonly [string, string])[]): string {
  if (hasRepeats(fields.map(([name]) => name))) {
    return `[\n${fields.map(([name, value]) => `    (${quoteText(name)}, ${quoteText(value)}),`).join('\n')}\n]`;
  }
  return `{\n${fields.map(([name, value]) => `    ${quoteText(name)}: ${quoteText(value)},`).join('\n')}\n}`;
}
