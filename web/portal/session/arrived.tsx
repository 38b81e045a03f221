import { type ReactNode, useMemo, useState } from 'react';
import type { Arrival } from '../../shared/behavior/arrival.ts';
import { ArrivalContext, NO_ARRIVAL } from './session-context.ts';

/** Provides the parameters with which the page was opened, until they are dismissed. */
export function Arrived({ with: given, children }: { readonly with: Arrival; readonly children: ReactNode }) {
  const [arrival, setArrival] = useState(given);
  const value = useMemo(() => ({ ...arrival, dismiss: () => setArrival(NO_ARRIVAL) }), [arrival]);
  return <ArrivalContext value={value}>{children}</ArrivalContext>;
}
