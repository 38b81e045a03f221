import type { Redis } from 'ioredis';

type Hello = (...args: never[]) => Promise<unknown>;

/**
 * Hears what Redis answers to `HELLO`. In protected mode it says so and closes the connection; the client takes that for
 * a password that is not needed, writes it to standard error at every attempt, and tells only that it was closed.
 *
 * @param onRefused told what Redis said
 */
export function hearRefusals(client: Redis, onRefused: (error: Error) => void): void {
  const { hello } = client as unknown as { hello: Hello };
  const heard: Hello = async (...args) => {
    try {
      return await hello.apply(client, args);
    } catch (error) {
      if (!(error as Error).message.startsWith('DENIED')) throw error;
      const refusal = new Error((error as Error).message.replace(/ because [^]*$/, ''));
      refusal.name = 'ReplyError';
      onRefused(refusal);
      throw refusal;
    }
  };
  Object.assign(client, { hello: heard });
}
