import { quoted } from '../../../shared/format/shell.ts';
import { KEY_HEADER, KEY_VARIABLE, sampledBody, type SampledCall, sampledHeaders } from './sample.ts';

export function curlSample(call: SampledCall): string {
  const { method, apiUrl, path, needsKey } = call;
  const headers = sampledHeaders(call);
  const body = sampledBody(call);
  // With a body, curl would use POST.
  const verb = method === 'GET' && body === null ? '' : method === 'HEAD' ? '-I ' : `-X ${method} `;
  const parts = [
    `curl ${verb}${quoted(apiUrl + path)}`,
    ...(needsKey ? [`-H "${KEY_HEADER}: $${KEY_VARIABLE}"`] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
