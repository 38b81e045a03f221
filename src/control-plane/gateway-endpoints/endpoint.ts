import type { Usage } from '../../data-plane/admission/usage.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Credential } from '../../data-plane/credentials/credential.ts';
import type { Refusal } from '../../data-plane/exchange.ts';

/** A call of one of the gateway's own endpoints, by a key that is known. */
export interface EndpointCall {
  readonly credential: Credential;
  readonly usage: Usage;
  /** As sent, with its `?`; empty if there is none. */
  readonly query: string;
  /** The last segment of the path, if the endpoint takes one. */
  readonly parameter: string;
}

/** Answers with a body, as JSON text, or refuses. */
export type Endpoint = (call: EndpointCall) => Awaitable<string | Refusal>;
