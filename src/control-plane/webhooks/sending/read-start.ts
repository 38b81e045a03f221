import type { Readable } from 'node:stream';

const MAX_BYTES = 1024;

/**
 * Reads the first KB of an answer. The status says how it went: a body that is cut off, or never ends, changes nothing of
 * that. What comes after the first KB is not waited for: its connection is closed.
 *
 * @returns text that every database takes
 */
export async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  body.on('error', () => {});
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BYTES) break;
    }
  } catch {
    // Cut off, by its service or by the limit of the attempt.
  }
  body.destroy();
  const start = Buffer.concat(chunks).subarray(0, MAX_BYTES);
  // PostgreSQL takes no U+0000 in a text.
  return new TextDecoder().decode(start).replaceAll('\0', '\ufffd');
}
