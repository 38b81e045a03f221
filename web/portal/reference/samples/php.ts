import type { BodyPart, CallBody } from '../call/body.ts';
import { findFreeWord, rubyLiteral as phpLiteral } from './ruby.ts';
import {
  encodedForm,
  hasRepeats,
  KEY_HEADER,
  KEY_VARIABLE,
  type SampledCall,
  sampledHeaders,
  sampledText,
  findPartType,
} from './sample.ts';

/** Formats a call as a program for PHP 8.1 or newer with its curl extension. */
export function phpSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey, body } = call;
  const headers = [
    ...(needsKey ? [`${phpLiteral(`${KEY_HEADER}: `)} . getenv(${phpLiteral(KEY_VARIABLE)}),`] : []),
    ...sampledHeaders(call).map(([name, value]) => `${phpLiteral(`${name}: ${value}`)},`),
  ];
  return [
    '<?php',
    `$curl = curl_init(${phpLiteral(apiUrl + path)});`,
    'curl_setopt_array($curl, [',
    ...(method === 'GET' && body === null ? [] : [`    CURLOPT_CUSTOMREQUEST => ${phpLiteral(method)},`]),
    ...(method === 'HEAD' ? ['    CURLOPT_NOBODY => true,'] : []),
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length === 0
      ? []
      : ['    CURLOPT_HTTPHEADER => [', ...headers.map((line) => `        ${line}`), '    ],']),
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${formatBody(body, call)},`]),
    ']);',
    '$answer = curl_exec($curl);',
    "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer;",
  ].join('\n');
}

function formatBody(body: CallBody, call: SampledCall): string {
  switch (body.kind) {
    case 'text':
      return phpText(sampledText(body.text, call));
    case 'form':
      return hasRepeats(body.fields.map(([name]) => name))
        ? phpLiteral(encodedForm(body.fields))
        : `http_build_query([\n${body.fields
            .map(([name, value]) => `        ${phpLiteral(name)} => ${phpLiteral(value)},`)
            .join('\n')}\n    ])`;
    case 'multipart':
      return `[\n${body.parts.map((part, index) => `        ${formatPart(part, body.parts, index)},`).join('\n')}\n    ]`;
    case 'file':
    default:
      return `file_get_contents(${phpLiteral(body.fileName)})`;
  }
}

/** Formats one part of a form. Parts with the same name get a number, because the keys of an array are unique. */
function formatPart(part: BodyPart, all: readonly BodyPart[], index: number): string {
  const { value, isFile } = part;
  const type = findPartType(part);
  const before = all.slice(0, index).filter(({ name }) => name === part.name).length;
  const isRepeated = all.filter(({ name }) => name === part.name).length > 1;
  const key = phpLiteral(isRepeated ? `${part.name}[${before}]` : part.name);
  if (isFile) return `${key} => new CURLFile(${phpLiteral(value)}, ${phpLiteral(type ?? '')}, ${phpLiteral(value)})`;
  return `${key} => ${phpLiteral(value)}`;
}

/** Formats a text of several lines without escapes. */
function phpText(text: string): string {
  if (!text.includes('\n') || text.includes('\r')) return phpLiteral(text);
  const end = findFreeWord('BODY', text);
  return `<<<'${end}'\n${text}\n${end}`;
}
