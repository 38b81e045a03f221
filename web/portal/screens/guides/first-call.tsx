import { Code } from '../../../shared/ui/controls/copy.tsx';
import { curlSample } from '../../reference/samples/curl.ts';
import { useSite } from '../../session/session-context.ts';

/** A first call as a line to paste into a terminal; without the other languages, whose code a first page need not load. */
export function FirstCall({ path, needsKey }: { readonly path: string; readonly needsKey: boolean }) {
  const { apiUrl } = useSite();
  const call = { apiUrl, path, method: 'GET', headers: [], cookie: null, body: null, needsKey };
  return <Code text={curlSample(call)} label="Copy the curl command" />;
}
