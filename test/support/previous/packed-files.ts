import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The file with the gateway of the previous version, which `scripts/pack-previous.ts` packs. */
export const PREVIOUS_VERSION_FILE = join(import.meta.dirname, 'previous-version.json.br');

/**
 * Packs files.
 *
 * @param files texts by path
 */
export function packFiles(files: ReadonlyMap<string, string>): Buffer {
  const text = JSON.stringify(Object.fromEntries(files));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return brotliCompressSync(text, { params });
}

export function unpackFiles(packed: Buffer, folder: string): void {
  const files = JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
