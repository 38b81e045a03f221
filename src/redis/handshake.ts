import type { Redis } from 'ioredis';

type Hello = (...args: never[]) => Promise<unknown>;

/**
 * Hears what Redis answers to `HELLO`. In protected mode it says so and closes the connection; the client takes that for
 * a password that is not needed, writes it to standard error at every attempt, and tells only that it was closed.
 *
 * The commands of a handshake are sent in one piece. To a connection that is closed already, the first write succeeds
 * and the next fails with EPIPE, which destroys the socket before what Redis said is read.
 *
 * @param onRefused told what Redis said
 */
export function hearRefusals(client: Redis, onRefused: (error: Error) => void): void {
  const { hello } = client as unknown as { hello: Hello };
  const heard: Hello = async (...args) => {
    const { stream } = client;
    stream.cork();
    process.nextTick(() => stream.uncork());
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
