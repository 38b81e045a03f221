import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const file = z.string('must be the path of a PEM file').min(1, 'must be the path of a PEM file');

/** A listener's certificate and key. */
export const tlsSchema = z.strictObject({ cert: file, key: file }).optional();

/** @param folder what the paths of the files are relative to */
export function resolveFiles<Tls extends Readonly<Record<string, string | undefined>>>(
  tls: Tls | undefined,
  folder: string,
): { tls?: Tls } {
  if (tls === undefined) return {};
  const files = Object.entries(tls).filter(([, file]) => file !== undefined);
  return { tls: Object.fromEntries(files.map(([name, file = '']) => [name, resolve(folder, file)])) as Tls };
}

/** @returns null if there is no such file, or none that can be read: whoever needs it says so */
export function readIfThere(file: string | undefined): string | null {
  try {
    return file === undefined ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
