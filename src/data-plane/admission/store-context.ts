import type { AdmissionStore } from './store.ts';
import type { NewEvent } from '../../control-plane/events/event.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import type { StartContext } from '../../start-context.ts';

/** What a store of counters is opened with. */
export interface StoreContext extends Pick<StartContext, 'config' | 'logger' | 'clock'> {
  readonly metrics: StoreMetrics;
  /** Where to tell that the shared store cannot be reached. */
  readonly note: (event: NewEvent) => void;
}

export interface OpenStore {
  readonly store: AdmissionStore;
  /**
   * Why counters cannot be kept where they should be, for people; null while they can. Of a shared store: each gateway
   * then decides on its own.
   */
  readonly failure: () => string | null;
  readonly close: () => Promise<void>;
}
