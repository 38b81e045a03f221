import { ANSWERED, type Exchange, type StepResult, type Refusal, type Step } from './exchange.ts';

/** Answers requests that go no further. */
export interface ErrorStep {
  readonly refuse: (exchange: Exchange, refusal: Refusal) => void;
  /** Refuses a request that is already running; if its answer has begun, cuts it off. */
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** For errors that no step foresaw. */
  readonly fail: (exchange: Exchange, error: unknown) => void;
}

/** Runs the steps in order until one refuses or answers. Waits only where a step does. */
export function createRunner(steps: readonly Step[], errors: ErrorStep): (exchange: Exchange) => void {
  /** True if no further step should run. */
  function settle(exchange: Exchange, result: StepResult): boolean {
    if (result === undefined) return false;
    if (result !== ANSWERED) errors.refuse(exchange, result);
    return true;
  }

  function runFrom(exchange: Exchange, first: number): void {
    try {
      for (let index = first; index < steps.length; index++) {
        const result = steps[index]?.(exchange);
        if (result instanceof Promise) {
          result.then(
            (later) => resume(exchange, later, index + 1),
            (error: unknown) => errors.fail(exchange, error),
          );
          return;
        }
        if (settle(exchange, result)) return;
      }
    } catch (error) {
      errors.fail(exchange, error);
    }
  }

  function resume(exchange: Exchange, result: StepResult, next: number): void {
    // The request may have been interrupted in the meantime.
    if (exchange.refusal !== null) return;
    try {
      if (settle(exchange, result)) return;
    } catch (error) {
      return errors.fail(exchange, error);
    }
    runFrom(exchange, next);
  }

  return function run(exchange) {
    runFrom(exchange, 0);
  };
}
