import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder. */
export function tempFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
