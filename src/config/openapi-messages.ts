import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { JsonPart } from './json-parts.ts';
import type { Environment } from './environment.ts';

/** Input of the thread that reads the documents. */
export interface WorkerInput {
  readonly processEnv: Environment;
  readonly cwd: string;
}

/** The only message from the thread. */
export type DocumentMessage =
  /**
   * Requests wait while a message is deserialized. So each document is sent as pieces of JSON, which are parsed one by
   * one.
   */
  | { readonly kind: 'read'; readonly documents: readonly (readonly JsonPart[])[] }
  | { readonly kind: 'refused'; readonly faults: readonly string[]; readonly remedies: readonly string[] };

/** All documents of a configuration: those of the upstreams, then their candidates. */
export function documentsIn(upstreams: readonly UpstreamConfig[]): UpstreamDocument[] {
  return [
    ...upstreams.map(({ document }) => document),
    ...upstreams.flatMap(({ candidateDocument }) => candidateDocument ?? []),
  ];
}

/** A document as the thread sends it. It has no validators for its event types, because functions cannot be sent. */
export interface SentDocument extends Omit<UpstreamDocument, 'eventTypes'> {
  readonly eventTypes: readonly Omit<UpstreamDocument['eventTypes'][number], 'validate'>[];
}
