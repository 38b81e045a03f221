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

/** Formats a call as a module for Node.js, which has a built-in `fetch`. */
export function javascriptSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey } = call;
  const isBodyless = method === 'GET' || method === 'HEAD';
  const body = isBodyless ? null : call.body;
  const headers = [
    ...(needsKey ? [`${quoteText(KEY_HEADER)}: process.env.${KEY_VARIABLE},`] : []),
    ...sampledHeaders(call).map(([name, value]) => `${quoteText(name)}: ${quoteText(value)},`),
  ];
  const { before = [], expression } = body === null ? { expression: null } : formatBody(body, call);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoteText(method)},`]),
    ...(headers.length === 0 ? [] : ['headers: {', ...indentLines(headers, '  '), '},']),
    ...(expression === null ? [] : `body: ${expression},`.split('\n')),
  ];
  const url = quoteText(apiUrl + path);
  // A template literal of several lines must not be indented, because the indentation would become part of the text.
  const by = expression?.startsWith('`') === true ? '' : '  ';
  const fetched = options.length === 0 ? [`fetch(${url});`] : [`fetch(${url}, {`, ...indentLines(options, by), '});'];
  return [
    ...(isBodyless && call.body !== null ? [`// The body is left out: fetch sends none with ${method}.`] : []),
    ...before,
    `const response = await ${fetched.join('\n')}`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}

interface JavascriptBody {
  /** Lines of code that come before the call. */
  readonly before?: readonly string[];
  readonly expression: string;
}

const SYNTAX = {
  words: { true: 'true', false: 'false', null: 'null' },
  text: quoteText,
  field: (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteText(name)),
  indent: '  ',
  isExact: isExactDouble,
};

function formatBody(body: CallBody, call: SampledCall): JavascriptBody {
  switch (body.kind) {
    case 'text': {
      const object = isJsonCall(call.headers) ? jsonLiteral(body.text, SYNTAX) : null;
      if (object !== null) return { expression: `JSON.stringify(${object})` };
      const text = sampledText(body.text, call);
      return { expression: text.includes('\n') && !text.includes('\r') ? formatTemplate(text) : quoteText(text) };
    }
    case 'form':
      return { expression: `new URLSearchParams(${pairs(body.fields)})` };
    case 'multipart':
      return {
        before: [
          ...(body.parts.some(({ isFile }) => isFile) ? [OPEN, ''] : []),
          'const form = new FormData();',
          ...body.parts.map((part) => {
            const { name, value, isFile } = part;
            const type = findPartType(part);
            if (isFile) return `form.append(${quoteText(name)}, ${blob(value, type)}, ${quoteText(value)});`;
            if (type === null) return `form.append(${quoteText(name)}, ${quoteText(value)});`;
            return `form.append(${quoteText(name)}, new Blob([${quoteText(value)}], { type: ${quoteText(type)} }));`;
          }),
          '',
        ],
        expression: 'form',
      };
    case 'file':
    default:
      return { before: [OPEN, ''], expression: blob(body.fileName, null) };
  }
}

const OPEN = "import { openAsBlob } from 'node:fs';";

function blob(fileName: string, type: string | null): string {
  return `await openAsBlob(${quoteText(fileName)}${type === null ? '' : `, { type: ${quoteText(type)} }`})`;
}

function pairs(fields: readonly (readonly [string, string])[]): string {
  if (hasRepeats(fields.map(([name]) => name)) || fields.some(([name]) => name === '__proto__')) {
    return `[\n${fields.map(([name, value]) => `  [${quoteText(name)}, ${quoteText(value)}],`).join('\n')}\n]`;
  }
  return `{\n${fields.map(([name, value]) => `  ${SYNTAX.field(name)}: ${quoteText(value)},`).join('\n')}\n}`;
}

function formatTemplate(text: string): string {
  return `\`${text.replaceAll(/[`\\]|\$\{/g, '\\$&')}\``;
}
