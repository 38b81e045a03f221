import type { BodyPart, CallBody } from '../call/body.ts';
import { quotedInHeader } from './go.ts';
import {
  encodedForm,
  FORM_TYPE,
  KEY_HEADER,
  KEY_VARIABLE,
  type SampledCall,
  sampledHeaders,
  sampledText,
  findPartType,
} from './sample.ts';

/** Formats a call as a class for Java 15 or newer that uses only the standard library. */
export function javaSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey, body } = call;
  const sent = body === null ? NO_BODY : formatBody(body, call);
  const headers = [
    ...(needsKey ? [`.header(${javaLiteral(KEY_HEADER)}, System.getenv(${javaLiteral(KEY_VARIABLE)}))`] : []),
    ...sampledHeaders(call).map(([name, value]) => `.header(${javaLiteral(name)}, ${javaLiteral(value)})`),
    ...(sent.type === null ? [] : [`.header("Content-Type", ${sent.type})`]),
  ];
  const imports = ['java.net.URI', 'java.net.http.*', ...sent.imports];
  return [
    ...imports.map((name) => `import ${name};`),
    '',
    'public class Main {',
    '    public static void main(String[] args) throws Exception {',
    ...[
      ...sent.before,
      `var request = HttpRequest.newBuilder(URI.create(${javaLiteral(apiUrl + path)}))`,
      ...headers.map((line) => `        ${line}`),
      `        .method(${javaLiteral(method)}, ${sent.publisher})`,
      '        .build();',
      'var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();',
      'var response = client.send(request, HttpResponse.BodyHandlers.ofString());',
      'System.out.println(response.statusCode() + " " + response.body());',
    ].map((line) => `        ${line}`),
    '    }',
    '}',
  ].join('\n');
}

interface JavaBody {
  readonly imports: readonly string[];
  readonly before: readonly string[];
  readonly publisher: string;
  /** An expression for the content type. Null if the headers of the call contain it. */
  readonly type: string | null;
}

const NO_BODY: JavaBody = {
  imports: [],
  before: [],
  publisher: 'HttpRequest.BodyPublishers.noBody()',
  type: null,
};

function formatBody(body: CallBody, call: SampledCall): JavaBody {
  const ofText = (text: string) => `HttpRequest.BodyPublishers.ofString(${text})`;
  switch (body.kind) {
    case 'text':
      return { ...NO_BODY, publisher: ofText(javaText(sampledText(body.text, call))) };
    case 'form':
      return { ...NO_BODY, publisher: ofText(javaLiteral(encodedForm(body.fields))), type: javaLiteral(FORM_TYPE) };
    case 'multipart':
      return {
        imports: ['java.io.ByteArrayOutputStream', ...(body.parts.some(({ isFile }) => isFile) ? FILES : [])],
        before: [
          'var boundary = "----" + java.util.UUID.randomUUID();',
          'var body = new ByteArrayOutputStream();',
          ...body.parts.flatMap((part) => partLines(part)),
          'body.write(("--" + boundary + "--\\r\\n").getBytes());',
        ],
        publisher: 'HttpRequest.BodyPublishers.ofByteArray(body.toByteArray())',
        type: '"multipart/form-data; boundary=" + boundary',
      };
    case 'file':
    default:
      return {
        ...NO_BODY,
        imports: ['java.nio.file.Path'],
        publisher: `HttpRequest.BodyPublishers.ofFile(Path.of(${javaLiteral(body.fileName)}))`,
      };
  }
}

const FILES = ['java.nio.file.Files', 'java.nio.file.Path'];

function partLines(part: BodyPart): readonly string[] {
  const { name, value, isFile } = part;
  const type = findPartType(part);
  const head = [
    `Content-Disposition: form-data; name=${quotedInHeader(name)}${isFile ? `; filename=${quotedInHeader(value)}` : ''}`,
    ...(type === null ? [] : [`Content-Type: ${type}`]),
  ];
  const content = isFile
    ? `Files.readAllBytes(Path.of(${javaLiteral(value)}))`
    : `${javaLiteral(value)}.getBytes("UTF-8")`;
  return [
    `body.write(("--" + boundary + ${javaLiteral(`\r\n${head.join('\r\n')}\r\n\r\n`)}).getBytes("UTF-8"));`,
    `body.write(${content});`,
    'body.write("\\r\\n".getBytes());',
  ];
}

function javaLiteral(text: string): string {
  return JSON.stringify(text);
}

/** Formats a text as a text block, if that keeps every character. */
function javaText(text: string): string {
  const lines = text.split('\n');
  // A text block removes the common indentation, so the first line must have none.
  const isKept = lines.length > 1 && /^\S/.test(text) && !/[ \t]$/m.test(text) && !/[^\P{Cc}\n]/u.test(text);
  if (!isKept) return javaLiteral(text);
  const escaped = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""'));
  const last = escaped.length - 1;
  const ended = escaped.map((line, index) => (index === last ? line.replace(/"$/, '\\"') : line));
  return `"""\n${ended.map((line) => `            ${line}`).join('\n')}"""`;
}
