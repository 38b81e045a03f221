import { resolve } from 'node:path';
import type { RequestListener } from 'node:http';
import { createListener } from './app.ts';
import { openDatabase, type Durability } from './store/database.ts';
import { seedDemo } from './demo.ts';
import type { OpenApiDocument } from './http/document.ts';
import { PetStoreStartError } from './http/errors.ts';
import type { Logger } from './http/operation.ts';
import { createOperations } from './operations/index.ts';
import { Relay, type PublishAll } from './relay.ts';
import { createStore } from './store/index.ts';

interface PetStoreOptions {
  /** SQLite file; relative to the data directory. */
  database: string;
  durability?: Durability;
}

interface PetStoreContext {
  /** An absolute path. */
  dataDir: string;
  /** The parsed OpenAPI document. */
  openapi: OpenApiDocument;
  /** Whether to add some pets to a database in which nothing was ever stored. */
  demo: boolean;
  logger: Logger;
  /**
   * Publishes events. Without this, no events are stored, because nothing would ever remove them and the database would
   * grow without end.
   */
  publishAll?: PublishAll;
}

interface PetStore {
  handler: RequestListener;
  ready: () => boolean;
  /** Waits for events that are being published. */
  close: () => Promise<void>;
}

/** Creates the pet store as an upstream module. Throws PetStoreStartError if it cannot start. */
async function create(
  options: unknown,
  { dataDir, openapi, demo, logger, publishAll }: PetStoreContext,
): Promise<PetStore> {
  const { database, durability } = checkOptions(options);
  const db = await openDatabase(resolve(dataDir, database), { durability, logger });
  try {
    // Events that are not in the document are not published.
    const types = new Set(publishAll === undefined ? [] : Object.keys(openapi.webhooks ?? {}));
    const store = createStore(db, { types, onEventsAdded: () => relay?.wake() });
    const relay = publishAll && new Relay(store, publishAll, { logger });
    if (demo && seedDemo(db, store)) logger.info({ database }, 'demo pets created');
    const ready = () => db.isOpen;
    const close = async () => {
      if (relay !== undefined) await relay.close();
      if (db.isOpen) db.close();
    };
    const handler = createListener({ document: openapi, operations: createOperations(store), logger, isOpen: ready });
    // Sends the events that an earlier process has left in the outbox.
    relay?.wake();
    return { handler, ready, close };
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkOptions(options: unknown): Required<PetStoreOptions> {
  const { database, durability = 'normal', ...unknown }: Record<string, unknown> = { ...Object(options) };
  const faults = Object.keys(unknown).map((key) => `"${key}" is not known (known are database, durability)`);
  if (typeof database === 'string' && database !== '' && (durability === 'normal' || durability === 'full')) {
    if (faults.length === 0) return { database, durability };
  } else {
    faults.push('"database" must name a file, and "durability" be normal or full');
  }
  throw new PetStoreStartError(`Pet store options: ${faults.join('; ')}`);
}

export default { create };
