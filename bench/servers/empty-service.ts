import type { IncomingMessage, ServerResponse } from 'node:http';

/** A module that does almost nothing, so that the gateway's own work is most of the cost. */
export default {
  create: () => ({
    handler(req: IncomingMessage, res: ServerResponse) {
      req.resume();
      req.once('end', () => res.end('{}'));
    },
  }),
};
