import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Formats the SHA-256 of files as `sha256sum --check` reads it. */
export function formatChecksums(folder: string, files: readonly string[]): string {
  const lines = files.toSorted().map((file) => `${hash('sha256', readFileSync(join(folder, file)))}  ${file}`);
  return `${lines.join('\n')}\n`;
}
