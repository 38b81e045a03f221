import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatUrl } from '../../../src/petstore/serve.ts';
import upstream from '../../../src/petstore/upstream.ts';
import { parse } from 'yaml';

// Runs the pet store as a module that publishes events, in a separate process, for tests that kill it. Arguments: the
// file to which events are published (one per line, beside the database), the OpenAPI document, and `slowly` or
// `never`.
const [file = '', document = '', how] = process.argv.slice(2);
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const store = await upstream.create(
  { database: 'pets.db' },
  {
    dataDir: dirname(file),
    openapi: parse(readFileSync(document, 'utf8')),
    demo: false,
    logger,
    async publishAll(events) {
      if (how === 'never') await new Promise(() => {});
      await sleep(Math.random() * 3);
      appendFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      // The events are published now, but the pet store does not know that yet.
      await sleep(Math.random() * 3);
    },
  },
);
const server = createServer(store.handler).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: formatUrl(server) })}\n`);
});
