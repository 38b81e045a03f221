import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StoreUnavailable } from '../admission/store.ts';
import type { RedisClient } from '../redis/connection.ts';
import { explain } from '../redis/failure.ts';
import { RedisUnavailable } from '../redis/unavailable.ts';

/** Of a client that will not answer soon: what is asked of it now would be done at some later time, or never. */
const DISCONNECTED = new Set(['reconnecting', 'close', 'disconnecting', 'end']);

/** ms. */
export interface Timeouts {
  /** Of a look-up that a request waits for. */
  readonly lookUp: number;
  /** Of everything else. */
  readonly change: number;
}

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** @param name of a `.lua` file beside this one */
export function loadScript(name: string): Script {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** A client whose failures, of every kind, come as `StoreUnavailable`, and in time. */
export class RedisAccess {
  readonly #client: RedisClient;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  /**
   * @param timeout ms
   * @throws StoreUnavailable (as a rejection): what was asked may have been done, or may be done later
   */
  async ask<T>(timeout: number, work: (client: RedisClient) => Promise<T>): Promise<T> {
    if (DISCONNECTED.has(this.#client.status)) {
      throw new RedisUnavailable({ kind: 'unreachable', reason: 'Redis is not connected' });
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const failure = { kind: 'timeout', reason: `Redis did not answer in ${timeout} ms` } as const;
      // An answer that came in time may still lie unread when this process was busy: it is read first.
      timer = setTimeout(() => setImmediate(() => reject(new RedisUnavailable(failure))), timeout);
    });
    try {
      return await Promise.race([work(this.#client), late]);
    } catch (error) {
      throw unavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a script by its digest; a server that does not know it (any more) is given the text. */
  run(timeout: number, script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    return this.ask(timeout, async (client) => {
      try {
        return await client.call('evalsha', [script.sha, ...rest]);
      } catch (error) {
        if (!isNoScript(error)) throw error;
        return client.call('eval', [script.text, ...rest]);
      }
    });
  }
}

/** The error itself is left behind: it carries the command with all its arguments, and those of AUTH are credentials. */
function unavailable(error: unknown): StoreUnavailable {
  return error instanceof StoreUnavailable ? error : new RedisUnavailable(explain(error));
}

function isNoScript(error: unknown): boolean {
  return Error.isError(error) && error.message.startsWith('NOSCRIPT');
}
