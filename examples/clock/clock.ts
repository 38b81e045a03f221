import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Context {
  readonly publish: (type: string, data: object) => Promise<object>;
}

/** A service in the gateway's process: no socket, no framework. It knows nothing about keys, plans or limits. */
function create(options: { greeting?: string }, { publish }: Context) {
  const greeting = options.greeting ?? 'Hello';

  const operations: Record<string, (req: IncomingMessage, res: ServerResponse, url: URL) => Promise<void> | void> = {
    '/time'(_req, res, { searchParams }) {
      const timeZone = searchParams.get('zone') ?? 'UTC';
      try {
        json(res, 200, { zone: timeZone, time: new Date().toLocaleString('sv', { timeZone }) });
      } catch {
        json(res, 400, { code: 'unknown_zone', message: 'There is no such time zone.', status: 400 });
      }
    },
    // A header identifies the caller, however the key was sent.
    '/greeting'(req, res) {
      json(res, 200, { text: `${greeting}, ${String(req.headers['x-consumer-id'])}!` });
    },
    async '/ticks'(_req, res, { searchParams }) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (let left = Number(searchParams.get('count') ?? 3); left > 0 && !res.destroyed; left--) {
        res.write(`data: ${new Date().toISOString()}\n\n`);
        if (left > 1) await sleep(1000);
      }
      res.end();
    },
    // Once the event is stored, the gateway delivers it, with retries for days.
    async '/chimes'(_req, res) {
      json(res, 202, await publish('clock.chimed', { time: new Date().toISOString() }));
    },
    '/status'(_req, res) {
      json(res, 200, { status: 'ticking' });
    },
  };

  return {
    async handler(req: IncomingMessage, res: ServerResponse) {
      const url = new URL(req.url ?? '/', 'http://clock');
      await operations[url.pathname]?.(req, res, url);
    },
  };
}

function json(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

export default { create };
