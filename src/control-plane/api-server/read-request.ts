import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { ErrorDetail } from '../../base/error-details.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { hasBody } from '../../http/framing.ts';
import type { ApiRoute, ParameterReader } from './api-document.ts';
import { Refused } from './refused.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

const INTEGER_PATTERN = /^-?\d{1,15}$/;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** Matches a charset other than UTF-8. JSON allows only UTF-8 (RFC 8259, 8.1). */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-8"?\s*(?:;|$))/i;

/** The raw bodies of the requests that are being handled. */
const sentBodies = new WeakMap<IncomingMessage, Buffer>();

const parseBody = express.json({
  limit: MAX_BODY_BYTES,
  type: () => true,
  strict: false,
  inflate: false,
  verify: (req, _res, bytes) => void sentBodies.set(req, bytes),
});

/** @throws Refused `validation_failed` */
export function checkPath({ path }: ApiRoute, values: Readonly<Record<string, string>>): void {
  refuseIfAny(path.validate(values, '/path') ?? []);
}

/** @throws Refused `validation_failed` */
export function readQuery({ query }: ApiRoute, target: string): Record<string, unknown> {
  const queryStart = target.indexOf('?');
  const entries = [...new URLSearchParams(queryStart === -1 ? '' : target.slice(queryStart))];
  const values = readValues(query, entries);
  refuseIfAny([...findRepeated(entries), ...(query.validate(values, '/query') ?? [])]);
  return values;
}

function findRepeated(entries: readonly (readonly [string, string])[]): ErrorDetail[] {
  const [seenNames, repeatedNames] = [new Set<string>(), new Set<string>()];
  for (const [name] of entries) (seenNames.has(name) ? repeatedNames : seenNames).add(name);
  return [...repeatedNames].map((name) => ({
    path: `/query/${name.slice(0, 100)}`,
    message: 'is given more than once',
  }));
}

/**
 * Reads the headers that the operation declares, as UTF-8: HTTP defines no encoding for them (RFC 9110, 5.5), and Node
 * decodes each byte as one character.
 *
 * @throws Refused `validation_failed`
 */
export function readHeaders({ headers }: ApiRoute, req: IncomingMessage): Record<string, unknown> {
  const entries = headers.names.flatMap((name): [string, string][] => {
    const value = req.headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, decodeUtf8(name, String(value))]];
  });
  const values = readValues(headers, entries);
  refuseIfAny(headers.validate(values, '/header') ?? []);
  return values;
}

function decodeUtf8(name: string, value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new Refused('validation_failed', { details: [{ path: `/header/${name}`, message: 'must be UTF-8' }] });
}

function readValues({ integers }: ParameterReader, entries: readonly (readonly [string, string])[]) {
  // `Object.fromEntries` is safe for a parameter named `__proto__`.
  return Object.fromEntries(
    entries.map(([name, text]) => [name, integers.has(name) && INTEGER_PATTERN.test(text) ? Number(text) : text]),
  ) as Record<string, unknown>;
}

/** @throws Refused `unsupported_media_type`, `body_too_large`, `bad_request`, `validation_failed` */
export async function readBody(
  { body: bodyReader, operation }: ApiRoute,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<unknown> {
  if (bodyReader === null) return undefined;
  const isPresent = hasBody(req);
  if (!isPresent && bodyReader.required) throw new Refused('bad_request', { message: 'A JSON body is required.' });
  const type = req.headers['content-type'] ?? '';
  if (isPresent && (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type))) throw new Refused('unsupported_media_type');
  if (operation.maxBodyBytes !== null) return undefined;
  const body = isPresent ? await parseJson(req, res) : {};
  refuseIfAny(bodyReader.validate(body, '') ?? []);
  return body;
}

/**
 * Reads a body in pieces, because joining and parsing a large one would hold up other requests.
 *
 * @throws Refused `body_too_large`, `unsupported_media_type`, `bad_request`
 */
export async function* readPieces({ operation }: ApiRoute, req: IncomingMessage): AsyncGenerator<Uint8Array> {
  const limit = operation.maxBodyBytes ?? MAX_BODY_BYTES;
  if (req.headers['content-encoding'] !== undefined) throw createEncodingError();
  if (Number(req.headers['content-length']) > limit) throw createTooLargeError(limit);
  let length = 0;
  try {
    // The connection must stay open for the response if reading stops early.
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      length += (piece as Buffer).length;
      if (length > limit) throw createTooLargeError(limit);
      yield piece as Buffer;
    }
  } catch (error) {
    if (req.readableAborted) throw new Refused('bad_request', { message: 'The body ended early.' });
    throw error;
  }
}

/** The raw body of a request that `readBody` has read. Parsing it exactly keeps digits that JavaScript's numbers lose. */
export function getSentBody(req: IncomingMessage): string {
  return new TextDecoder().decode(sentBodies.get(req));
}

function parseJson(req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  return new Promise((resolve, reject) => {
    parseBody(req, res, (error?: unknown) => {
      if (error !== undefined) return reject(toReadableError(error));
      // Refuse invalid UTF-8. It was decoded to characters that the client did not send.
      const isReadable = isUtf8(sentBodies.get(req) ?? Buffer.of());
      if (isReadable) resolve((req as IncomingMessage & { body?: unknown }).body);
      else reject(new Refused('bad_request', { message: 'The body is not UTF-8.' }));
    });
  });
}

function toReadableError(error: unknown): unknown {
  const { status } = error as { status?: number };
  if (status === 413) return createTooLargeError(MAX_BODY_BYTES);
  if (status === 415) return createEncodingError();
  // The parser's own message is left out, because it quotes the body.
  if (status === 400) return new Refused('bad_request', { message: 'The body is not valid JSON.' });
  return error;
}

function createTooLargeError(limit: number): Refused {
  return new Refused('body_too_large', { message: `The body is larger than ${limit} bytes.` });
}

function createEncodingError(): Refused {
  const message = 'The body must be JSON in UTF-8, without a Content-Encoding.';
  return new Refused('unsupported_media_type', { message });
}

function refuseIfAny(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw new Refused('validation_failed', { details });
}

/**
 * Formats a revision as a strong entity tag. Using a key changes its `lastUsedAt` but not its revision, so it does not
 * make a conditional change fail.
 */
export function formatEtag(revision: number): string {
  return `"${revision}"`;
}

/**
 * Makes a change. If the request has `If-Match`, the current revision must match it (RFC 9110, 13.1.1).
 *
 * @param readRevision reads the current revision; 0 if there is none
 * @param work makes the change; receives the revision that it must be based on, or undefined if any revision will do
 * @throws Refused `precondition_failed`
 */
export async function changeIfMatching<T>(
  ifMatch: string | undefined,
  readRevision: () => Promise<number>,
  work: (expected: number | undefined) => Promise<T>,
): Promise<T> {
  if (ifMatch === undefined) return work(undefined);
  const current = await readRevision();
  if (!matchesRevision(ifMatch, current)) throw new Refused('precondition_failed');
  try {
    return await work(current);
  } catch (error) {
    const isConflict = error instanceof RegistryError && error.code === 'conflict';
    // If the revision differs, another caller made a change first. If not, the conflict has a different cause.
    if (isConflict && (await readRevision()) !== current) throw new Refused('precondition_failed');
    throw error;
  }
}

function matchesRevision(ifMatch: string, revision: number): boolean {
  if (revision === 0) return false;
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === formatEtag(revision));
}
