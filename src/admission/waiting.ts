import type { Decision } from './decide.ts';
import type { AdmissionRequest } from './store.ts';

/** A request that waits to be decided. */
export interface Waiting {
  readonly request: AdmissionRequest;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
}
