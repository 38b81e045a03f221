/**
 * Where the data plane meets the rest, as types: what it needs of the control plane, and what it hands over. Everything
 * else in this folder is its own business; the composition root (`src/gateway.ts`) connects the two planes.
 */
import type { Awaitable } from '../base/awaitable.ts';
import type { Credential } from '../base/credential.ts';
import type { Decision } from './admission/decide.ts';
import type { Usage } from './admission/usage.ts';
import type { Refusal } from './exchange.ts';

export type { BanPolicy, BanView } from './admission/bans.ts';
export type { Decision, Outcome } from './admission/decide.ts';
export type { OutageListener } from './admission/resilient/outage.ts';
export type { AdmissionStore } from './admission/store.ts';
export type { Usage, WindowName, WindowView } from './admission/usage.ts';
export type { Refusal } from './exchange.ts';
export type { RequestObserver, RequestRecord } from './request-record.ts';
export type { TargetCondition } from './upstreams/upstream.ts';

/**
 * Called for every decision of admission when it is made, since what follows from it cannot wait for the end of the
 * request: a WebSocket may last for hours. Must not throw.
 *
 * @param cost what the request asked for
 */
export type DecisionObserver = (decision: Decision, credential: Credential, cost: number, requestId: string) => void;

/** What a cache must forget after a change: one key, by its hash, or all (a plan changed, which may affect any key). */
export type Invalidation = { readonly kind: 'key'; readonly hash: string } | { readonly kind: 'all' };

/** Where credentials come from: the registry. Rejects with `StoreUnavailable` while it does not answer. */
export interface CredentialSource {
  /** @param hash SHA-256 of the secret, base64url @returns null if no key has it */
  findCredential(hash: string): Promise<Credential | null>;
  /** Records when keys were last used (id → ms since the Unix epoch). Never moves a time back. */
  touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void>;
  /** Calls the listener after every change by anyone; with `all` also if changes may have been missed. */
  onInvalidation(listener: (what: Invalidation) => void): void;
}

/** Lets a connection within this process call with a key that it does not carry. */
export interface KeyVoucher {
  /** @param hash SHA-256 of the key, base64url */
  vouch(socket: object, hash: string): void;
}

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

export interface FoundEndpoint {
  readonly answer: Endpoint;
  readonly parameter: string;
}

/** Finds one of the gateway's own endpoints by its path below `/_gateway/`. */
export type FindEndpoint = (path: string) => FoundEndpoint | undefined;
