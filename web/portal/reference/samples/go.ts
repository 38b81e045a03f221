import type { CallBody } from '../call/body.ts';
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

/** Formats a call as a program that uses only Go's standard library. */
export function goSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey } = call;
  const body = call.body === null ? NO_BODY : formatBody(call.body, call);
  const imports = new Set(['fmt', 'io', 'net/http', ...(needsKey ? ['os'] : []), ...body.imports]);
  const set = (name: string, value: string) => `request.Header.Set(${goLiteral(name)}, ${value})`;
  const lines = [
    ...body.before,
    `request, err := http.NewRequest(${goLiteral(method)}, ${goLiteral(apiUrl + path)}, ${body.reader})`,
    ...FAILURE,
    ...(needsKey ? [set(KEY_HEADER, `os.Getenv(${goLiteral(KEY_VARIABLE)})`)] : []),
    ...sampledHeaders(call).map(([name, value]) => set(name, goLiteral(value))),
    ...(body.type === null ? [] : [set('Content-Type', body.type)]),
    'response, err := http.DefaultClient.Do(request)',
    ...FAILURE,
    'defer response.Body.Close()',
    'answer, err := io.ReadAll(response.Body)',
    ...FAILURE,
    'fmt.Println(response.StatusCode, string(answer))',
  ];
  return [
    'package main',
    '',
    'import (',
    ...[...imports].toSorted().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    // A string literal of several lines must not be indented, because the indentation would become part of the text.
    ...lines.map((line) => `\t${line}`),
    '}',
  ].join('\n');
}

const FAILURE = ['if err != nil {', '\tpanic(err)', '}'];

interface GoBody {
  readonly imports: readonly string[];
  readonly before: readonly string[];
  readonly reader: string;
  /** An expression for the content type. Null if the headers of the call contain it. */
  readonly type: string | null;
}

const NO_BODY: GoBody = { imports: [], before: [], reader: 'nil', type: null };

function formatBody(body: CallBody, call: SampledCall): GoBody {
  switch (body.kind) {
    case 'text': {
      const reader = `strings.NewReader(${goLiteral(sampledText(body.text, call))})`;
      return { ...NO_BODY, imports: ['strings'], reader };
    }
    case 'form':
      return {
        imports: ['strings'],
        before: [],
        reader: `strings.NewReader(${goLiteral(encodedForm(body.fields))})`,
        type: goLiteral(FORM_TYPE),
      };
    case 'multipart':
      return createMultipart(body.parts);
    case 'file':
    default:
      return {
        ...NO_BODY,
        imports: ['os'],
        before: [`file, err := os.Open(${goLiteral(body.fileName)})`, ...FAILURE, 'defer file.Close()'],
        reader: 'file',
      };
  }
}

function createMultipart(parts: Extract<CallBody, { kind: 'multipart' }>['parts']): GoBody {
  const isTyped = parts.some((part) => findPartType(part) !== null);
  const lines = parts.flatMap((part) => {
    const { name, value, isFile } = part;
    const type = findPartType(part);
    if (type === null) return [`form.WriteField(${goLiteral(name)}, ${goLiteral(value)})`];
    const fileName = isFile ? `; filename=${quotedInHeader(value)}` : '';
    return [
      'header = textproto.MIMEHeader{}',
      `header.Set("Content-Disposition", ${goLiteral(`form-data; name=${quotedInHeader(name)}${fileName}`)})`,
      `header.Set("Content-Type", ${goLiteral(type)})`,
      'part, err = form.CreatePart(header)',
      ...FAILURE,
      ...(isFile
        ? [`content, err = os.ReadFile(${goLiteral(value)})`, ...FAILURE, 'part.Write(content)']
        : [`part.Write([]byte(${goLiteral(value)}))`]),
    ];
  });
  const hasFile = parts.some(({ isFile }) => isFile);
  return {
    imports: ['bytes', 'mime/multipart', ...(isTyped ? ['net/textproto'] : []), ...(hasFile ? ['os'] : [])],
    before: [
      'var body bytes.Buffer',
      'form := multipart.NewWriter(&body)',
      ...(isTyped ? ['var header textproto.MIMEHeader', 'var part io.Writer', 'var err error'] : []),
      ...(hasFile ? ['var content []byte'] : []),
      ...lines,
      'form.Close()',
    ],
    reader: '&body',
    type: 'form.FormDataContentType()',
  };
}

/** Quotes a name for the header of a part (RFC 7578, section 4.2). */
export function quotedInHeader(text: string): string {
  return `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;
}

/** Formats a text as a raw string, if possible, so that JSON stays readable. */
function goLiteral(text: string): string {
  return /["\n]/.test(text) && /^[^`\r\0\uFEFF]*$/.test(text) ? `\`${text}\`` : JSON.stringify(text);
}
