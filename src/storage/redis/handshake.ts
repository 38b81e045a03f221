import type { Redis } from 'ioredis';

type Hello = (...args: never[]) => Promise<unknown>;

/**
 * Intercepts the answer of Redis to `HELLO`. A Redis in protected mode says so and closes the connection. The client
 * mistakes that for an unneeded password, prints it to standard error at every attempt, and reports only that the
 * connection was closed.
 *
 * The commands of a handshake are sent in one piece. To a connection that is closed already, the first write succeeds
 * and the next fails with EPIPE, which destroys the socket before what Redis said is read.
 *
 * @param onRefused called with what Redis said
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
