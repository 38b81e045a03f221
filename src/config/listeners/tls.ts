import { resolve } from 'node:path';
import { z } from 'zod';

const file = z.string('must be the path of a PEM file').min(1, 'must be the path of a PEM file');

/** A listener's certificate and key. */
export const tlsSchema = z.strictObject({ cert: file, key: file }).optional();

export type TlsSettings = z.output<typeof tlsSchema>;

/** @param folder what paths are relative to */
export function resolveTls(tls: TlsSettings, folder: string): { tls?: NonNullable<TlsSettings> } {
  return tls === undefined ? {} : { tls: { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) } };
}
