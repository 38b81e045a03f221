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
