import type { BodyPart, CallBody } from '../call/body.ts';
import { KEY_HEADER, KEY_VARIABLE, type SampledCall, sampledHeaders, sampledText, findPartType } from './sample.ts';

/** Formats a call as a program for .NET 7 or newer that uses only the standard library. */
export function csharpSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey, body } = call;
  const type = sampledHeaders(call).find(([name]) => name === 'Content-Type')?.[1] ?? null;
  const headers = sampledHeaders(call).filter(([name]) => name !== 'Content-Type');
  const add = (name: string, value: string) =>
    `request.Headers.TryAddWithoutValidation(${csharpLiteral(name)}, ${value});`;
  return [
    ...(type !== null || body?.kind === 'multipart' ? ['using System.Net.Http.Headers;', ''] : []),
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod(${csharpLiteral(method)}), ${csharpLiteral(apiUrl + path)});`,
    ...(needsKey ? [add(KEY_HEADER, `Environment.GetEnvironmentVariable(${csharpLiteral(KEY_VARIABLE)})`)] : []),
    ...headers.map(([name, value]) => add(name, csharpLiteral(value))),
    ...(body === null ? [] : bodyLines(body, type, call)),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join('\n');
}

function bodyLines(body: CallBody, type: string | null, call: SampledCall): readonly string[] {
  const parsed = (of: string) => `MediaTypeHeaderValue.Parse(${csharpLiteral(of)})`;
  switch (body.kind) {
    case 'text': {
      const text = csharpText(sampledText(body.text, call));
      return [`request.Content = new StringContent(${text}${type === null ? '' : `, ${parsed(type)}`});`];
    }
    case 'form':
      return [
        'request.Content = new FormUrlEncodedContent(new[]',
        '{',
        ...body.fields.map(
          ([name, value]) => `    KeyValuePair.Create(${csharpLiteral(name)}, ${csharpLiteral(value)}),`,
        ),
        '});',
      ];
    case 'multipart':
      return [
        'var form = new MultipartFormDataContent();',
        ...body.parts.flatMap((part, index) => partLines(part, `part${index + 1}`)),
        'request.Content = form;',
      ];
    case 'file':
    default:
      return [
        `request.Content = new StreamContent(File.OpenRead(${csharpLiteral(body.fileName)}));`,
        ...(type === null ? [] : [`request.Content.Headers.ContentType = ${parsed(type)};`]),
      ];
  }
}

function partLines(part: BodyPart, variable: string): readonly string[] {
  const { name, value, isFile } = part;
  const type = findPartType(part);
  if (type === null) return [`form.Add(new StringContent(${csharpLiteral(value)}), ${csharpLiteral(name)});`];
  const content = isFile
    ? `new StreamContent(File.OpenRead(${csharpLiteral(value)}))`
    : `new StringContent(${csharpLiteral(value)})`;
  return [
    `var ${variable} = ${content};`,
    `${variable}.Headers.ContentType = MediaTypeHeaderValue.Parse(${csharpLiteral(type)});`,
    `form.Add(${variable}, ${csharpLiteral(name)}${isFile ? `, ${csharpLiteral(value)}` : ''});`,
  ];
}

function csharpLiteral(text: string): string {
  // These characters end a line in C#, so within a string literal they must be escaped.
  return JSON.stringify(text).replaceAll(/[\u0085\u2028\u2029]/g, (end) => `\\u${hex(end)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** Formats a text of several lines as a raw string, in which no character needs an escape. */
function csharpText(text: string): string {
  if (!text.includes('\n') || text.includes('\r')) return csharpLiteral(text);
  const longest = Math.max(2, ...[...text.matchAll(/"+/g)].map(([quotes]) => quotes.length));
  const quotes = '"'.repeat(longest + 1);
  return `${quotes}\n${text}\n${quotes}`;
}
