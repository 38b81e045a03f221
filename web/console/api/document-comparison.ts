import { MINUTE_MS } from '../../shared/format/durations.ts';
import { type Schemas, sendRequest } from './transport/client.ts';

export type DocumentComparison = Schemas['DocumentComparison'];
export type DocumentChange = Schemas['DocumentChange'];

/** The maximum size that the API accepts, in bytes. */
export const MAX_DOCUMENT_BYTES = 24 * 1024 * 1024;
/** A comparison may take 20 seconds. The rest is for sending the files. */
const TIMEOUT_MS = 2 * MINUTE_MS;

export interface ComparisonInput {
  readonly upstream: string;
  readonly file: File;
  readonly overlays: readonly File[];
  readonly days: number;
}

/** Compares a file with the document in force. Changes nothing. */
export async function compareDocument({
  upstream,
  file,
  overlays,
  days,
}: ComparisonInput): Promise<DocumentComparison> {
  const [document, ...others] = await Promise.all([file, ...overlays].map(readFile));
  const body = { upstream, document, overlays: others, days };
  // Measures the JSON, because it needs two bytes for each line break and quotation mark.
  if (new Blob([JSON.stringify(body)]).size > MAX_DOCUMENT_BYTES) throw new Error(TOO_LARGE_MESSAGE);
  return sendRequest({ method: 'POST', path: '/documents/diff', body, timeoutMs: TIMEOUT_MS });
}

export const TOO_LARGE_MESSAGE = 'The files are too large: the limit is 24 MB for all of them together, as JSON.';

async function readFile(file: File): Promise<string> {
  try {
    return await file.text();
  } catch {
    throw new Error(`The browser cannot read ${file.name}. It may have changed since you chose it: choose it again.`);
  }
}
