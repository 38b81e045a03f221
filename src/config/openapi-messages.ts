import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { JsonPart } from './json-parts.ts';
import type { Environment } from './environment.ts';

/** Input of the thread. */
export interface WorkerInput {
  readonly given: Environment;
  readonly cwd: string;
}

/** Its only message. */
export type DocumentMessage =
  /** In parts, because a message is parsed as a whole, while requests wait. */
  | { readonly kind: 'read'; readonly documents: readonly (readonly JsonPart[])[] }
  | { readonly kind: 'refused'; readonly faults: readonly string[]; readonly remedies: readonly string[] };

/** A document from the thread. Its validators are compiled again, because functions cannot be sent. */
export interface SentDocument extends Omit<UpstreamDocument, 'eventTypes'> {
  readonly eventTypes: readonly Omit<UpstreamDocument['eventTypes'][number], 'validate'>[];
}
