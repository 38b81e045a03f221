import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import type { NewKeyAnswer } from './admin/answers.ts';
import { csvCell } from './csv.ts';
import { Failure } from './failure.ts';

const HEADER = 'owner,name,plan,minute,day,expiresAt,id,key\n';

/** A new file for secrets, that only its owner can read. */
export class SecretsFile {
  readonly path: string;
  readonly #file: number;
  #holdsSecrets = false;

  /** @throws Failure if there is a file already, or none can be made */
  constructor(path: string) {
    this.path = path;
    try {
      // Exclusive: a file that is there may be read by others already, or hold the secrets of other keys.
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

  /** On the disk when it returns: nobody could tell these secrets again. */
  append(keys: readonly NewKeyAnswer[]): void {
    this.#holdsSecrets = true;
    this.#write(
      keys
        .map(({ owner, name, plan, limits, expiresAt, id, key }) => {
          const cells = [owner, name, plan, limits?.minute ?? '', limits?.day ?? '', expiresAt ?? '', id, key];
          return `${cells.map((cell) => csvCell(String(cell))).join(',')}\n`;
        })
        .join(''),
    );
    fsyncSync(this.#file);
  }

  /** Leaves nothing behind where there was nothing to keep. */
  close(): void {
    closeSync(this.#file);
    if (!this.#holdsSecrets) rmSync(this.path);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }
}
