import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { JsonPart } from './json-parts.ts';
import type { Environment } from './environment.ts';

/** Input of the thread that reads the documents. */
export interface WorkerInput {
  readonly given: Environment;
  readonly cwd: string;
}

/** The only message from the thread. */
export type DocumentMessage =
  /**
   * Parsing a message cannot be interrupted, and requests wait for it. So each document is sent as parts of JSON text.
   */
  | { readonly kind: 'read'; readonly documents: readonly (readonly JsonPart[])[] }
  | { readonly kind: 'refused'; readonly faults: readonly string[]; readonly remedies: readonly string[] };

/** A document from the thread. Functions cannot be sent, so the validators of its event types are compiled again. */
export interface SentDocument extends Omit<UpstreamDocument, 'eventTypes'> {
  readonly eventTypes: readonly Omit<UpstreamDocument['eventTypes'][number], 'validate'>[];
}
