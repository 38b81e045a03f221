import type { Awaitable } from '../../base/awaitable.ts';
import type { Credential } from '../../base/credential.ts';
import { ANSWERED, type Exchange, type StepResult, type Refusal, type Step } from './exchange.ts';
import type { Tunnel } from '../websocket/tunnel.ts';

/** Responds to requests that were refused or failed. */
export interface ErrorStep {
  readonly refuse: (exchange: Exchange, refusal: Refusal) => void;
  /** Refuses a running request. If its response has begun, cuts it off. */
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** For errors that no step handles. */
  readonly fail: (exchange: Exchange, error: unknown) => void;
}

/** Identifies the caller: null if a public operation was called without a key. */
export type Authenticate = (exchange: Exchange) => Awaitable<Credential | null | Refusal>;

/** A step after authentication. @param credential null: a public operation was called without a key */
export type ServeStep = (exchange: Exchange, credential: Credential | null) => Awaitable<StepResult>;

/** The steps, in order. Their types show which of them come after authentication. */
export interface Phases {
  readonly arrive: readonly Step[];
  readonly authenticate: Authenticate;
  readonly serve: readonly ServeStep[];
}

function isRefusal(caller: Credential | null | Refusal): caller is Refusal {
  return caller !== null && (caller as Partial<Refusal>).code !== undefined;
}

/** Runs the steps in order until one refuses or responds. Waits only if a step does. */
export function createRunner({ arrive, authenticate, serve }: Phases, errors: ErrorStep): (exchange: Exchange) => void {
  // No closure captures the variables of these loops: that would cost an allocation per iteration, and few steps wait.
  function arriveFrom(exchange: Exchange, first: number): void {
    for (let index = first; index < arrive.length; index++) {
      const result = arrive[index]!(exchange);
      if (result instanceof Promise) return waitToArrive(exchange, result, index + 1);
      if (settle(exchange, result)) return;
    }
    const caller = authenticate(exchange);
    if (caller instanceof Promise) waitForCaller(exchange, caller);
    else authenticated(exchange, caller);
  }

  function waitForCaller(exchange: Exchange, work: Promise<Credential | null | Refusal>): void {
    later(exchange, work, (caller) => authenticated(exchange, caller));
  }

  function waitToArrive(exchange: Exchange, work: Promise<StepResult>, next: number): void {
    later(exchange, work, (result) => settle(exchange, result) || arriveFrom(exchange, next));
  }

  function authenticated(exchange: Exchange, caller: Credential | null | Refusal): void {
    if (isRefusal(caller)) errors.refuse(exchange, caller);
    else serveFrom(exchange, caller, 0);
  }

  function serveFrom(exchange: Exchange, credential: Credential | null, first: number): void {
    for (let index = first; index < serve.length; index++) {
      const result = serve[index]!(exchange, credential);
      if (result instanceof Promise) return waitToServe(exchange, credential, result, index + 1);
      if (settle(exchange, result)) return;
    }
  }

  function waitToServe(
    exchange: Exchange,
    credential: Credential | null,
    work: Promise<StepResult>,
    next: number,
  ): void {
    later(exchange, work, (result) => settle(exchange, result) || serveFrom(exchange, credential, next));
  }

  /** True if no further step should run. */
  function settle(exchange: Exchange, result: StepResult): boolean {
    if (result === undefined) return false;
    if (result !== ANSWERED) errors.refuse(exchange, result);
    return true;
  }

  function later<Value>(exchange: Exchange, work: Promise<Value>, resume: (value: Value) => unknown): void {
    work.then(
      (value) => {
        // The request may have been interrupted in the meantime.
        if (exchange.refusal !== null) return;
        try {
          resume(value);
        } catch (error) {
          errors.fail(exchange, error);
        }
      },
      (error: unknown) => errors.fail(exchange, error),
    );
  }

  return function run(exchange) {
    try {
      arriveFrom(exchange, 0);
    } catch (error) {
      errors.fail(exchange, error);
    }
  };
}

/** Counts running requests and open WebSockets, to tell when the last of them has ended. */
export class Running {
  #count = 0;
  #idle: PromiseWithResolvers<void> | null = null;

  begun(): void {
    this.#count++;
  }

  /**
   * Notes that a request has its response.
   *
   * @param tunnel its connection, if it was a WebSocket handshake: it counts as running until that is closed
   */
  ended(tunnel: Tunnel | null): void {
    if (tunnel === null || tunnel.socket.closed) this.#over();
    else tunnel.socket.once('close', () => this.#over());
  }

  /** Resolves once none is running, immediately if none is. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  #over(): void {
    this.#count--;
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = null;
  }
}
