import type { BodyPart, CallBody } from '../call/body.ts';
import { KEY_HEADER, KEY_VARIABLE, type SampledCall, sampledHeaders, sampledText, findPartType } from './sample.ts';

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Formats a call as a program for Ruby that uses only the standard library. */
export function rubySample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey, body } = call;
  const isPlain = WITH_BODY.has(method) || (body === null && WITHOUT_BODY.has(method));
  const kind = `${method[0]}${method.slice(1).toLowerCase()}`;
  const made = isPlain
    ? `Net::HTTP::${kind}.new(uri)`
    : `Net::HTTPGenericRequest.new(${rubyLiteral(method)}, ${String(body !== null)}, ${String(method !== 'HEAD')}, uri)`;
  return [
    "require 'net/http'",
    '',
    `uri = URI(${rubyLiteral(apiUrl + path)})`,
    `request = ${made}`,
    ...(needsKey ? [`request[${rubyLiteral(KEY_HEADER)}] = ENV.fetch(${rubyLiteral(KEY_VARIABLE)})`] : []),
    ...sampledHeaders(call).map(([name, value]) => `request[${rubyLiteral(name)}] = ${rubyLiteral(value)}`),
    ...(body === null ? [] : bodyLines(body, call)),
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
    'puts response.code, response.body',
  ].join('\n');
}

function bodyLines(body: CallBody, call: SampledCall): readonly string[] {
  switch (body.kind) {
    case 'text':
      return [`request.body = ${rubyText(sampledText(body.text, call))}`];
    case 'form':
      return [
        'request.set_form([',
        ...body.fields.map(([name, value]) => `  [${rubyLiteral(name)}, ${rubyLiteral(value)}],`),
        '])',
      ];
    case 'multipart':
      return ['request.set_form([', ...body.parts.map((part) => `  ${formatPart(part)},`), "], 'multipart/form-data')"];
    case 'file':
    default:
      return [`request.body = File.binread(${rubyLiteral(body.fileName)})`];
  }
}

function formatPart(part: BodyPart): string {
  const { name, value, isFile } = part;
  const type = findPartType(part);
  const content = isFile ? `File.open(${rubyLiteral(value)}, 'rb')` : rubyLiteral(value);
  // Net::HTTP sends a content type for files only.
  const options = isFile
    ? [`filename: ${rubyLiteral(value)}`, ...(type === null ? [] : [`content_type: ${rubyLiteral(type)}`])]
    : [];
  return `[${[rubyLiteral(name), content, ...(options.length === 0 ? [] : [`{ ${options.join(', ')} }`])].join(', ')}]`;
}

/** Formats a text as a literal in single quotes, within which only quotes and backslashes have a special meaning. */
export function rubyLiteral(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** Formats a text of several lines without escapes. */
function rubyText(text: string): string {
  if (!text.includes('\n') || text.includes('\r')) return rubyLiteral(text);
  const end = findFreeWord('BODY', text);
  return `<<'${end}'.chomp\n${text}\n${end}`;
}

/** Finds a delimiter that the text does not contain. */
export function findFreeWord(word: string, text: string): string {
  return text.includes(word) ? findFreeWord(`${word}_`, text) : word;
}
