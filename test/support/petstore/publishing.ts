import { createServer } from 'node:http';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../../src/petstore/http/document.ts';
import { parseJson } from '../../../src/petstore/http/json.ts';
import type { OutgoingEvent, PublishAll } from '../../../src/petstore/relay.ts';
import { formatUrl } from '../../../src/petstore/serve.ts';
import upstream from '../../../src/petstore/upstream.ts';
import { temporaryDirectory } from '../temporary.ts';
import { callApi, openapi, type Body, type LogLine } from './petstore.ts';

interface PublishingOptions {
  readonly dataDir?: string;
  readonly document?: OpenApiDocument;
  readonly demo?: boolean;
  /** Publishes the events. By default, all of them are accepted. */
  readonly publishAll?: PublishAll | undefined;
}

/** An event that was published, with parsed data. Integers are BigInt. */
export interface PublishedEvent extends Omit<OutgoingEvent, 'data'> {
  data: Body;
}

/** Starts a pet store on a free port, as a module that publishes events. */
export async function startPublishing(options: PublishingOptions = {}) {
  const { dataDir = temporaryDirectory(), document = openapi, demo = false } = options;
  const log: LogLine[] = [];
  const line = (level: string) => (fields: object, message: string) => void log.push({ level, message, ...fields });
  const logger = { info: line('info'), warn: line('warn'), error: line('error') };
  const published: PublishedEvent[] = [];
  const acceptAll: PublishAll = async (events) => {
    for (const { data, ...event } of events) published.push({ ...event, data: parseJson(data) });
  };
  const publishAll = 'publishAll' in options ? options.publishAll : acceptAll;
  const context = { dataDir, openapi: document, demo, logger, ...(publishAll && { publishAll }) };
  const store = await upstream.create({ database: 'pets.db' }, context);
  const server = createServer(store.handler);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const call = (method: string, path: string, json?: unknown) => callApi(formatUrl(server), method, path, { json });
  return {
    file: join(dataDir, 'pets.db'),
    log,
    published,
    acceptAll,
    get: (path: string) => call('GET', path),
    post: (path: string, json: unknown) => call('POST', path, json),
    put: (path: string, json: unknown) => call('PUT', path, json),
    delete: (path: string) => call('DELETE', path),
    async close() {
      server.closeAllConnections();
      server.close();
      await store.close();
    },
  };
}
