import type { ErrorDetail } from '../../../base/error-codes.ts';

/** What a service publishes will not do, now or later. Nothing was published. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  /** What is wrong where, at paths such as `/data/pet/name`. */
  readonly details: readonly ErrorDetail[];
  /** Which one of several: 0 for the first. */
  readonly index: number;

  constructor(type: string, details: readonly ErrorDetail[], index: number) {
    const faults = details.map(({ path, message }) => `${path} ${message}`);
    super(`the event ${type} cannot be published: ${faults.join('; ')}`);
    this.details = details;
    this.index = index;
  }
}
