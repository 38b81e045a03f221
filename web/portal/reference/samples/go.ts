import { KEY_HEADER, KEY_VARIABLE, sampledBody, type SampledCall, sampledHeaders } from './sample.ts';

/** A program with nothing but Go's standard library. */
export function goSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey } = call;
  const headers = sampledHeaders(call);
  const body = sampledBody(call);
  const imports = ['fmt', 'io', 'net/http', ...(needsKey ? ['os'] : []), ...(body === null ? [] : ['strings'])];
  const reader = body === null ? 'nil' : `strings.NewReader(${goLiteral(body)})`;
  const set = (name: string, value: string) => `\trequest.Header.Set(${goLiteral(name)}, ${value})`;
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest(${goLiteral(method)}, ${goLiteral(apiUrl + path)}, ${reader})`,
    ...FAILURE,
    ...(needsKey ? [set(KEY_HEADER, `os.Getenv(${goLiteral(KEY_VARIABLE)})`)] : []),
    ...headers.map(([name, value]) => set(name, goLiteral(value))),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...FAILURE,
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    ...FAILURE,
    '\tfmt.Println(response.StatusCode, string(answer))',
    '}',
  ].join('\n');
}

const FAILURE = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

/** A raw string if possible, so that JSON stays readable. */
function goLiteral(text: string): string {
  return text.includes('"') && /^[^`\r\0]*$/.test(text) ? `\`${text}\`` : JSON.stringify(text);
}
