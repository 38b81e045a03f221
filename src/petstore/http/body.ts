import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import { parseJson } from './json.ts';

/** Bytes. */
export const MAX_BODY = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/**
 * Reads and parses the JSON body of a request (see {@link parseJson} for what its integers become).
 *
 * @throws ApiError `bad_request`, `body_too_large` or `unsupported_media_type`
 */
export async function readJsonBody(req: IncomingMessage): Promise<unknown> {
  checkHeaders(req);
  const bytes = await readBytes(req);
  if (bytes.length === 0) throw missingBody();
  return parseJson(decode(bytes));
}

function checkHeaders(req: IncomingMessage): void {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': chunked } = req.headers;
  if (!chunked && (length === undefined || Number(length) === 0)) throw missingBody();
  const charset = CHARSET.exec(type ?? '')?.[1] ?? 'utf-8';
  if (!JSON_TYPE.test(type ?? '') || !/^utf-?8$/i.test(charset)) throw new ApiError('unsupported_media_type');
  if ((req.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must be sent without a Content-Encoding.');
  }
  if (Number(length) > MAX_BODY) throw tooLarge();
}

function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else settle(() => reject(tooLarge()));
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onCut = () => settle(() => reject(new ApiError('bad_request', 'The body ended early.')));
    const settle = (then: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onCut);
      // What is left of the upload is read and dropped, so that the client gets to reading the answer. The listener
      // for errors stays: a socket that dies later must not crash the process.
      req.resume();
      then();
    };
    // A client that left before anybody listened sends no event any more.
    if (req.destroyed) return onCut();
    req.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('bad_request', 'The body is not valid UTF-8.');
  }
}

const missingBody = () => new ApiError('bad_request', 'A JSON body is required.');
const tooLarge = () => new ApiError('body_too_large', `The body is larger than ${MAX_BODY} bytes.`);
