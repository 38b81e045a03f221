import type { EventEmitter } from 'node:events';
import type { Awaitable } from '../../base/awaitable.ts';
import type { Credential } from '../../domain/credential.ts';
import { RESPONDED, type Exchange, type StepResult, type Refusal, type Step } from './exchange.ts';

/** Responds to requests that were refused or failed. */
export interface ErrorStep {
  readonly refuse: (exchange: Exchange, refusal: Refusal) => void;
  /** Refuses a running request. If the response has begun, it is cut off. */
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** Responds to an error that no step handles. */
  readonly fail: (exchange: Exchange, error: unknown) => void;
}

/** Identifies the caller. Returns null if a public operation was called without a key. */
export type Authenticate = (exchange: Exchange) => Awaitable<Credential | null | Refusal>;

/** A step after authentication. @param credential null if a public operation was called without a key */
export type ServeStep = (exchange: Exchange, credential: Credential | null) => Awaitable<StepResult>;

/** The steps, in three phases that run one after the other. */
export interface Phases {
  readonly arrive: readonly Step[];
  readonly authenticate: Authenticate;
  readonly serve: readonly ServeStep[];
}

function isRefusal(caller: Credential | null | Refusal): caller is Refusal {
  return caller !== null && (caller as Partial<Refusal>).code !== undefined;
}

interface Runner {
  /** Runs the steps in order until one refuses or responds. Waits only if a step returns a promise. */
  readonly run: (exchange: Exchange) => void;
  /**
   * Releases the steps, so that the memory of the API documents can be freed while event streams still refer to this
   * runner. Call it only when no request is running.
   */
  readonly release: () => void;
}

export function createRunner(phases: Phases, errors: ErrorStep): Runner {
  const { authenticate } = phases;
  const [arrive, serve] = [[...phases.arrive], [...phases.serve]];
  // The callbacks are created in separate functions. If they captured the variables of these loops, each iteration would
  // allocate memory, although few steps wait.
  function runArriveSteps(exchange: Exchange, startIndex: number): void {
    for (let index = startIndex; index < arrive.length; index++) {
      const result = arrive[index]!(exchange);
      if (result instanceof Promise) return awaitArriveStep(exchange, result, index + 1);
      if (handleResult(exchange, result)) return;
    }
    const caller = authenticate(exchange);
    if (caller instanceof Promise) awaitCaller(exchange, caller);
    else handleCaller(exchange, caller);
  }

  function awaitCaller(exchange: Exchange, work: Promise<Credential | null | Refusal>): void {
    resumeAfter(exchange, work, (caller) => handleCaller(exchange, caller));
  }

  function awaitArriveStep(exchange: Exchange, work: Promise<StepResult>, nextIndex: number): void {
    resumeAfter(exchange, work, (result) => handleResult(exchange, result) || runArriveSteps(exchange, nextIndex));
  }

  function handleCaller(exchange: Exchange, caller: Credential | null | Refusal): void {
    if (isRefusal(caller)) errors.refuse(exchange, caller);
    else runServeSteps(exchange, caller, 0);
  }

  function runServeSteps(exchange: Exchange, credential: Credential | null, startIndex: number): void {
    for (let index = startIndex; index < serve.length; index++) {
      const result = serve[index]!(exchange, credential);
      if (result instanceof Promise) return awaitServeStep(exchange, credential, result, index + 1);
      if (handleResult(exchange, result)) return;
    }
  }

  function awaitServeStep(
    exchange: Exchange,
    credential: Credential | null,
    work: Promise<StepResult>,
    nextIndex: number,
  ): void {
    resumeAfter(
      exchange,
      work,
      (result) => handleResult(exchange, result) || runServeSteps(exchange, credential, nextIndex),
    );
  }

  /** Refuses the request if a step says so. @returns whether the request is done, so that no further step runs */
  function handleResult(exchange: Exchange, result: StepResult): boolean {
    if (result === undefined) return false;
    if (result !== RESPONDED) errors.refuse(exchange, result);
    return true;
  }

  function resumeAfter<Value>(exchange: Exchange, work: Promise<Value>, resume: (value: Value) => unknown): void {
    work.then(
      (value) => {
        // The request was interrupted in the meantime, and has its response.
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

  return {
    run(exchange) {
      try {
        runArriveSteps(exchange, 0);
      } catch (error) {
        errors.fail(exchange, error);
      }
    },
    release() {
      arrive.length = 0;
      serve.length = 0;
    },
  };
}

/**
 * Counts running requests, so that a replaced data plane can be released after its last request. Event streams and
 * tunnels do not count, because they may last for days and need nothing but their service.
 */
export class RunningRequests {
  #count = 0;
  #whenIdle: PromiseWithResolvers<void> | null = null;

  begin(): void {
    this.#count++;
  }

  /** Stops counting a request, because its response has ended. */
  end(exchange: Exchange): void {
    if (exchange.isReleased) return;
    exchange.isReleased = true;
    this.#removeOne();
  }

  /**
   * Stops counting a request, because it has become an event stream or a tunnel.
   *
   * @param connection the service stays open until this emits `close`
   */
  endAsConnection(exchange: Exchange, connection: EventEmitter): void {
    const { match } = exchange;
    if (match.kind === 'operation') connection.once('close', match.route.hold());
    this.end(exchange);
  }

  /** Resolves as soon as no request is running. */
  waitUntilIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    this.#whenIdle ??= Promise.withResolvers();
    return this.#whenIdle.promise;
  }

  #removeOne(): void {
    this.#count--;
    if (this.#count > 0) return;
    this.#whenIdle?.resolve();
    this.#whenIdle = null;
  }
}
