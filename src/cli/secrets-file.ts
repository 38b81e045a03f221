import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { csvLine } from '../base/csv-line.ts';
import type { NewKeyAnswer } from './admin/answers.ts';
import { Failure } from './failure.ts';

const HEADER = 'owner,name,plan,minute,day,expiresAt,id,key\n';

/** A new file for secrets, which only its owner can read. */
export class SecretsFile {
  readonly path: string;
  readonly #file: number;
  #holdsSecrets = false;

  /** @throws Failure if the file already exists or cannot be created */
  constructor(path: string) {
    this.path = path;
    try {
      // Exclusive: others may be able to read an existing file, or it may hold the secrets of other keys.
      this.#file = openSync(path, 'wx', 0o600);
    } catch (error) {
      const { code = 'unwritable' } = error as NodeJS.ErrnoException;
      throw new Failure(
        code === 'EEXIST'
          ? `${path} exists already, and secrets go into a new file: name another with --output`
          : `${path} cannot be made (${code}): name another file with --output`,
      );
    }
    this.#write(HEADER);
  }

  /** The secrets are on disk when it returns, because they cannot be shown again. */
  append(keys: readonly NewKeyAnswer[]): void {
    this.#holdsSecrets = true;
    this.#write(
      keys
        .map(({ owner, name, plan, limits, expiresAt, id, key }) =>
          csvLine([owner, name, plan, limits?.minute ?? null, limits?.day ?? null, expiresAt, id, key]),
        )
        .join(''),
    );
    fsyncSync(this.#file);
  }

  /** Removes the file if no secrets were written. */
  close(): void {
    closeSync(this.#file);
    if (!this.#holdsSecrets) rmSync(this.path);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }
}
