/** What an upstream module is given and must provide. The npm package has declarations of these types. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Published, ServiceEvent } from '../../../openapi/event-type.ts';

/** Dependencies of a module, in addition to its options. */
export interface ModuleContext {
  /** Directory for its files, as an absolute path. */
  readonly dataDir: string;
  /** Its OpenAPI document, parsed. */
  readonly openapi: object;
  /** Whether to fill an empty store with sample data. */
  readonly demo: boolean;
  readonly logger: Logger;
  /**
   * Publishes an event of a type that the document declares under `webhooks`. Resolves when the event is stored. If the
   * event has an `id`, publishing can be repeated until it succeeds, because repeats are ignored. Rejects with
   * `EventRefused` if the event does not match the document, with `StoreUnavailable` while the database is unavailable,
   * and with an error after `close()`.
   */
  readonly publish: (
    type: string,
    data: ServiceEvent['data'],
    options?: Omit<ServiceEvent, 'type' | 'data'>,
  ) => Promise<Published>;
  /** Publishes up to 500 events in one transaction: all of them, or none. */
  readonly publishAll: (events: readonly ServiceEvent[]) => Promise<Published[]>;
}

/** The default export of an upstream module. */
export interface UpstreamModule {
  create(options: Record<string, unknown>, context: ModuleContext): Promise<ModuleInstance> | ModuleInstance;
}

export interface ModuleInstance {
  /** Any request listener for Node or Express. */
  handler(req: IncomingMessage, res: ServerResponse): unknown;
  /** Any listener for Node's `upgrade` event. */
  upgrade?(req: IncomingMessage, socket: Duplex, head: Buffer): unknown;
  close?(): Promise<void> | void;
}
