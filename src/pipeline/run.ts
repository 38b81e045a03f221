import { ANSWERED, type Exchange, type StepResult, type Refusal, type Step } from './exchange.ts';

/** How a request that goes no further is answered. */
export interface ErrorStep {
  readonly refuse: (exchange: Exchange, refusal: Refusal) => void;
  /** Refuses a request that is at work already; one whose answer has begun is cut off. */
  readonly interrupt: (exchange: Exchange, refusal: Refusal) => void;
  /** For what nobody foresaw. */
  readonly fail: (exchange: Exchange, error: unknown) => void;
}

/** Runs the steps in their order until one refuses or answers. Waits only where a step does. */
export function createRunner(steps: readonly Step[], errors: ErrorStep): (exchange: Exchange) => void {
  /** True when there is nothing left to do. */
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
            (later) => goOn(exchange, later, index + 1),
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

  function goOn(exchange: Exchange, result: StepResult, next: number): void {
    // It may have been interrupted in the meantime.
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
