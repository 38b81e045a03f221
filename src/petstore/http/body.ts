import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import { parseJson } from './json.ts';

const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/**
 * Reads and parses the JSON body of a request (see {@link parseJson} for how integers are read).
 *
 * @throws ApiError `bad_request`, `body_too_large` or `unsupported_media_type`
 */
export async function readJsonBody(req: IncomingMessage): Promise<unknown> {
  checkHeaders(req);
  const bytes = await readBytes(req);
  if (bytes.length === 0) throw createMissingBody();
  return parseJson(decode(bytes));
}

function checkHeaders(req: IncomingMessage): void {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': transferEncoding } = req.headers;
  if (!transferEncoding && (length === undefined || Number(length) === 0)) throw createMissingBody();
  const charset = CHARSET.exec(type ?? '')?.[1] ?? 'utf-8';
  if (!JSON_TYPE.test(type ?? '') || !/^utf-?8$/i.test(charset)) throw new ApiError('unsupported_media_type');
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must be sent without a Content-Encoding.');
  }
  if (Number(length) > MAX_BODY_BYTES) throw createTooLarge();
}

function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else settle(() => reject(createTooLarge()));
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onCutOff = () => settle(() => reject(new ApiError('bad_request', 'The body ended early.')));
    const settle = (then: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onCutOff);
      // Read and discard the rest of the upload, so that the client reads the response. The error listener stays,
      // because a socket that fails later must not crash the process.
      req.resume();
      then();
    };
    // If the client disconnected before the listeners were added, there are no more events.
    if (req.destroyed) return onCutOff();
    req.on('data', onData).on('end', onEnd).on('close', onCutOff).on('error', onCutOff);
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('bad_request', 'The body is not valid UTF-8.');
  }
}

const createMissingBody = () => new ApiError('bad_request', 'A JSON body is required.');
const createTooLarge = () => new ApiError('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
