import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { Environment } from './environment.ts';

/** What the thread reads. */
export interface WorkerInput {
  readonly given: Environment;
  readonly cwd: string;
}

/** Its only message. */
export type DocumentMessage =
  | { readonly kind: 'read'; readonly documents: readonly DocumentParts[] }
  | { readonly kind: 'refused'; readonly faults: readonly string[] };

/** A document as pieces of JSON that are parsed quickly: messages are parsed as a whole, while requests wait. */
export interface DocumentParts {
  /** Of `DocumentRest`. */
  readonly rest: string;
  /** Lists of operations. */
  readonly operations: readonly string[];
  /** Entries of the objects in the document that are empty in `rest`. */
  readonly entries: readonly { readonly at: readonly string[]; readonly json: string }[];
}

/** All of a document but what is large. Its validators are compiled again, because functions cannot be sent. */
export interface DocumentRest extends Omit<UpstreamDocument, 'operations' | 'eventTypes'> {
  readonly eventTypes: readonly Omit<UpstreamDocument['eventTypes'][number], 'validate'>[];
}
