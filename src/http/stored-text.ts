import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressors = {
  // Level 5 compresses as well as gzip's highest level, in a fraction of the time.
  br: (text: Buffer) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: Buffer) => promisify(gzip)(text),
};

type Coding = keyof typeof compressors;

/** Minimum size of a text that is compressed. Smaller texts fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/** A text that is sent often. Its entity tag and its compressed forms are created on first use and kept. */
export class StoredText {
  readonly contentType: string;
  readonly body: Buffer;
  #tag: string | undefined;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(text: string | Buffer, contentType = 'application/json') {
    this.body = typeof text === 'string' ? Buffer.from(text) : text;
    this.contentType = contentType;
  }

  /** Upper limit of the memory for the text and its compressed forms. Caches use it as the size of an entry. */
  get maxBytes(): number {
    return 2 * this.body.length + 1;
  }

  /** The tag is weak, because it is the same for each content coding (RFC 9110, 8.8.3). */
  get tag(): string {
    return (this.#tag ??= `W/"${createHash('sha256').update(this.body).digest('base64url').slice(0, 27)}"`);
  }

  compress(coding: Coding): Promise<Buffer> {
    let compression = this.#compressed.get(coding);
    if (compression === undefined) this.#compressed.set(coding, (compression = compressors[coding](this.body)));
    return compression;
  }
}

/**
 * Whether `Accept-Encoding` names a coding. A coding with a weight (`gzip;q=0.5`) counts as not accepted. That is safe:
 * the text is then sent uncompressed.
 */
export function acceptsCoding(accepted: string, coding: string): boolean {
  return accepted.split(',').some((item) => item.trim().toLowerCase() === coding);
}

/**
 * Sends a stored text, compressed if the client accepts that. If the headers include `Cache-Control`, the response has
 * an entity tag, and a client that already has the text gets a 304.
 */
export async function respondStored(
  req: IncomingMessage,
  res: ServerResponse,
  stored: StoredText,
  headers: Readonly<Record<string, string | readonly string[]>>,
  status = 200,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const mayBeCached = 'Cache-Control' in headers;
  res.setHeader('Vary', 'Accept-Encoding');
  if (mayBeCached) res.setHeader('ETag', stored.tag);
  if (mayBeCached && includesTag(req.headers['if-none-match'], stored.tag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  const { body, coding } = await chooseAcceptedForm(req, stored);
  res.statusCode = status;
  res.setHeader('Content-Type', stored.contentType);
  if (coding !== undefined) res.setHeader('Content-Encoding', coding);
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

/** Chooses the form of the text that the client accepts. `coding` is undefined if the body is not compressed. */
export async function chooseAcceptedForm(
  req: IncomingMessage,
  stored: StoredText,
): Promise<{ readonly body: Buffer; readonly coding: Coding | undefined }> {
  const accepted = req.headers['accept-encoding'] ?? '';
  const isSmall = stored.body.length < MIN_COMPRESSED_BYTES;
  const coding = isSmall
    ? undefined
    : (['br', 'gzip'] as const).find((candidate) => acceptsCoding(accepted, candidate));
  return { body: coding === undefined ? stored.body : await stored.compress(coding), coding };
}

/** Whether a list of entity tags has this tag, by weak comparison (RFC 9110, 13.1.2). */
export function includesTag(tagList: string | undefined, tag: string): boolean {
  if (tagList === undefined) return false;
  const withoutWeakPrefix = (tagText: string) => tagText.trim().replace(/^W\//, '');
  return (
    tagList.trim() === '*' ||
    tagList.split(',').some((listedTag) => withoutWeakPrefix(listedTag) === withoutWeakPrefix(tag))
  );
}
