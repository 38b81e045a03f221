import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { formatCsvLine } from '../base/portable/csv-line.ts';
import { Failure } from './failure.ts';

export type CsvRow = Parameters<typeof formatCsvLine>[0];

/** A new CSV file for secrets that only its owner can read. */
export class SecretsFile {
  readonly path: string;
  readonly #file: number;
  #holdsSecrets = false;

  /** @throws Failure if the file already exists or cannot be created */
  constructor(path: string, columns: readonly string[]) {
    this.path = path;
    try {
      // Refuse an existing file (`wx`), because others may be able to read it, or it may contain other secrets.
      this.#file = openSync(path, 'wx', 0o600);
    } catch (error) {
      const { code = 'unwritable' } = error as NodeJS.ErrnoException;
      throw new Failure(
        code === 'EEXIST'
          ? `${path} already exists, and secrets are only written to a new file: choose another with --output`
          : `cannot create ${path} (${code}): choose another file with --output`,
      );
    }
    this.#write(formatCsvLine(columns));
  }

  /** Appends rows. Returns only once they are on disk, because the secrets cannot be shown again. */
  append(rows: readonly CsvRow[]): void {
    if (rows.length === 0) return;
    this.#holdsSecrets = true;
    this.#write(rows.map(formatCsvLine).join(''));
    fsyncSync(this.#file);
  }

  /** Closes the file, and removes it if it has no secrets. */
  close(): void {
    closeSync(this.#file);
    if (!this.#holdsSecrets) rmSync(this.path);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }
}
