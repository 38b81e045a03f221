import { KEY_HEADER, KEY_VARIABLE, literal, sampledBody, type SampledCall, sampledHeaders } from './sample.ts';

/** A module for Node.js, which has `fetch`. */
export function javascriptSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey } = call;
  const headers = sampledHeaders(call);
  const isBodyless = method === 'GET' || method === 'HEAD';
  const body = isBodyless ? null : sampledBody(call);
  const lines = [
    ...(needsKey ? [`${literal(KEY_HEADER)}: process.env.${KEY_VARIABLE},`] : []),
    ...headers.map(([name, value]) => `${literal(name)}: ${literal(value)},`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)},`]),
    ...(lines.length === 0 ? [] : ['headers: {', ...lines.map((line) => `  ${line}`), '},']),
    ...(body === null ? [] : [`body: ${literal(body)},`]),
  ];
  const url = literal(apiUrl + path);
  const fetched =
    options.length === 0 ? [`fetch(${url});`] : [`fetch(${url}, {`, ...options.map((line) => `  ${line}`), '});'];
  const note = isBodyless && call.body !== null ? [`// The body is left out: fetch sends none with ${method}.`] : [];
  return [
    ...note,
    `const response = await ${fetched.join('\n')}`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}
