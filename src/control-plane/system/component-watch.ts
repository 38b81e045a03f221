import type { Clock } from '../../base/time.ts';

/**
 * `degraded`: the component works with restrictions. `away`: it does not work. `unknown`: nothing shows whether it
 * works.
 */
type ComponentState = 'ready' | 'unknown' | 'degraded' | 'away';

export interface Condition {
  readonly state: ComponentState;
  /** Explains to people why the component is not ready, without secrets; null if it is ready. */
  readonly cause: string | null;
}

export type ComponentKind = 'embedded' | 'redis' | 'sqlite' | 'postgres' | 'module' | 'http';

/** A part that the gateway needs, and that can fail while the gateway runs. */
export interface Component {
  readonly name: string;
  readonly kind: ComponentKind;
  /** The current state of the component. It must be cheap, because it is called every second. */
  readonly condition: () => Condition;
}

export interface ComponentReport extends Condition {
  readonly name: string;
  readonly kind: ComponentKind;
  /** When this state began, as far as this gateway saw; in ms since the Unix epoch, accurate to a second. */
  readonly since: number;
}

const INTERVAL_MS = 1000;

export const READY: Condition = { state: 'ready', cause: null };

/** Returns `READY` if there is no cause, otherwise the given state. */
export function createCondition(state: Exclude<ComponentState, 'ready'>, cause: string | null): Condition {
  return cause === null ? READY : { state, cause };
}

/**
 * Remembers when each component entered its current state. Checks all components once a second, and at every call of
 * `report`.
 */
export class ComponentWatch {
  readonly #clock: Clock;
  readonly #components: () => readonly Component[];
  #reports: readonly ComponentReport[] = [];
  readonly #timer: NodeJS.Timeout;

  /** @param components returns the components, which may change */
  constructor(components: () => readonly Component[], clock: Clock, intervalMs = INTERVAL_MS) {
    this.#clock = clock;
    this.#components = components;
    this.report();
    this.#timer = setInterval(() => void this.report(), intervalMs).unref();
  }

  report(): readonly ComponentReport[] {
    this.#reports = this.#components().map((component) => {
      const current = createReport(component, this.#clock());
      const previous = this.#reports.find(({ name }) => name === current.name);
      return previous?.state === current.state ? { ...current, since: previous.since } : current;
    });
    return this.#reports;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function createReport({ name, kind, condition }: Component, since: number): ComponentReport {
  return { name, kind, ...condition(), since };
}
