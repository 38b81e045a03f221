import { quoteWord } from '../../../../src/base/portable/shell.ts';
import type { BodyPart, CallBody } from '../call/body.ts';
import {
  isJsonCall,
  KEY_HEADER,
  KEY_VARIABLE,
  type SampledCall,
  sampledHeaders,
  sampledText,
  findPartType,
} from './sample.ts';

export function curlSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey, body } = call;
  // The method is always named, because curl uses POST for calls with a body.
  const verb = method === 'GET' && body === null ? '-i' : method === 'HEAD' ? '-I' : `-i -X ${method}`;
  const parts = [
    `curl ${verb} ${quoteWord(apiUrl + path)}`,
    ...(needsKey ? [`-H "${KEY_HEADER}: $${KEY_VARIABLE}"`] : []),
    ...sampledHeaders(call).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : bodyOptions(body, call)),
  ];
  return parts.join(' \\\n  ');
}

function bodyOptions(body: CallBody, call: SampledCall): readonly string[] {
  switch (body.kind) {
    case 'text':
      return [`--data-raw ${quoteWord(jsonIndented(sampledText(body.text, call), call))}`];
    case 'form':
      return body.fields.map(
        ([name, value]) => `--data-urlencode ${quoteWord(`${encodeURIComponent(name)}=${value}`)}`,
      );
    case 'multipart':
      return body.parts.map((part) => partOption(part));
    case 'file':
    default:
      return [`--data-binary ${quoteWord(`@${body.fileName}`)}`];
  }
}

/** Indents JSON deeper than the options of the command. White space between JSON values has no meaning. */
function jsonIndented(text: string, { headers }: SampledCall): string {
  return isJsonCall(headers) ? text.replaceAll('\n', '\n  ') : text;
}

function partOption(part: BodyPart): string {
  const type = findPartType(part);
  const { name, value, isFile } = part;
  if (type === null) return `--form-string ${quoteWord(`${name}=${value}`)}`;
  // Quote the value, because within double quotes, curl gives no character but the escaped ones a special meaning.
  const text = `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  return `-F ${quoteWord(`${name}=${isFile ? '@' : ''}${isFile && /^[\w.-]+$/.test(value) ? value : text};type=${type}`)}`;
}
