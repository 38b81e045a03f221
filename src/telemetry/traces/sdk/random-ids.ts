import { randomBytes } from 'node:crypto';
import type { IdGenerator } from '@opentelemetry/sdk-trace';

const POOL_BYTES = 4096;
/** Hex digits. */
const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;

/**
 * Random ids, cut off a pool of random digits: most requests need two, and few are ever sent, so they must cost next to
 * nothing. (An id of zeros would be invalid, and is as likely as to guess one.)
 */
export class RandomIds implements IdGenerator {
  #pool = '';
  #used = 0;

  generateTraceId(): string {
    return this.#take(TRACE_ID_LENGTH);
  }

  generateSpanId(): string {
    return this.#take(SPAN_ID_LENGTH);
  }

  #take(length: number): string {
    if (this.#used + length > this.#pool.length) {
      this.#pool = randomBytes(POOL_BYTES).toString('hex');
      this.#used = 0;
    }
    return this.#pool.slice(this.#used, (this.#used += length));
  }
}
