import { KEY_HEADER, KEY_VARIABLE, literal, sampledBody, type SampledCall, sampledHeaders } from './sample.ts';

/** Python 3 with nothing but its standard library. */
export function pythonSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey } = call;
  const headers = sampledHeaders(call);
  const body = sampledBody(call);
  const lines = [
    ...(needsKey ? [`${literal(KEY_HEADER)}: os.environ[${literal(KEY_VARIABLE)}],`] : []),
    ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)},`),
  ];
  return [
    ...(needsKey ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${literal(apiUrl + path)},`,
    `    method=${literal(method)},`,
    ...(lines.length === 0 ? [] : ['    headers={', ...lines.map((line) => `        ${line}`), '    },']),
    ...(body === null ? [] : [`    data=${literal(body)}.encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        print(response.status, response.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
  ].join('\n');
}
