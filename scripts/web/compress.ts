import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.md', '.svg', '.txt']);

/**
 * Compresses each file of `folder` with Brotli (`.br`) and gzip (`.gz`), and writes the result if it is smaller. This
 * happens at build time, because the best level takes too long for a start. Browsers accept Brotli only over HTTPS and
 * from this machine.
 */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)));
  await Promise.all(files.map(({ parentPath, name }) => compressFile(join(parentPath, name))));
}

async function compressFile(path: string): Promise<void> {
  const body = await readFile(path);
  const variants = { br: await promisify(brotliCompress)(body), gz: await promisify(gzip)(body, { level: 9 }) };
  for (const [suffix, compressed] of Object.entries(variants)) {
    // oxlint-disable-next-line no-await-in-loop -- two small files
    if (compressed.length < body.length) await writeFile(`${path}.${suffix}`, compressed);
  }
}
