import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ModuleContext } from '../../../src/data-plane/upstreams/in-process/module-types.ts';

/**
 * Publishes the events that it receives, and responds with the result. It also publishes an event when it starts, and
 * another when it stops.
 */
async function create(_options: object, { publish, logger }: ModuleContext) {
  await publish('note.taken', { text: 'started' }, { id: 'started' });
  return {
    async handler(req: IncomingMessage, res: ServerResponse) {
      const { type, data, ...options } = JSON.parse(await text(req)) as { type: string; data: string; id?: string };
      const body = await publish(type, data, options).catch((error: Error) =>
        Object.assign({ message: error.message }, error),
      );
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    },
    async close() {
      await publish('note.taken', { text: 'stopped' });
      // Do not wait for the result, so that the service can stop before it.
      publish('note.taken', { text: 'late' }).catch((error: unknown) => logger.error({ err: error }, 'late'));
      setTimeout(() => {
        publish('note.taken', { text: 'too late' }).catch((error: unknown) => logger.error({ err: error }, 'too late'));
      }, 1);
    },
  };
}

export default { create };
