import type { Decision } from './decide.ts';
import type { AdmissionRequest } from './store.ts';

/** A request waiting for its decision. */
export interface Waiting {
  readonly request: AdmissionRequest;
  readonly resolve: (decision: Decision) => void;
  readonly reject: (error: unknown) => void;
}
