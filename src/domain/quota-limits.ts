/** Cost units per window: positive safe integers, minute <= day <= month. A request costs one unit by default. */
export interface Limits {
  readonly minute: number;
  readonly day: number;
  /** Omitted: no limit per month. */
  readonly month?: number;
}

/** The windows that limits apply to, the shortest first. */
export const WINDOW_NAMES = ['minute', 'day', 'month'] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];

/** A value for each window that has a limit. */
export interface ByWindow<Value> {
  readonly minute: Value;
  readonly day: Value;
  readonly month?: Value | undefined;
}

/** Lists the values with the names of their windows, shortest first. */
export function listWindows<Value>(
  valueByWindow: ByWindow<Value>,
): { readonly name: WindowName; readonly view: Value }[] {
  return WINDOW_NAMES.flatMap((name) => {
    const view = valueByWindow[name];
    return view === undefined ? [] : [{ name, view }];
  });
}

/** Whether two sets of limits are the same, or both are absent. */
export function areSameLimits(first: Limits | null | undefined, second: Limits | null | undefined): boolean {
  return WINDOW_NAMES.every((window) => first?.[window] === second?.[window]);
}

/** Returns the lower of two limits of concurrent requests. Null means no limit. */
export function chooseLowerLimit(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.min(first, second);
}

/** `shadow` lets every request through, and only reports what `enforce` would have done. */
export type Mode = 'enforce' | 'shadow';

/** How a gateway treats the keys of a plan while the shared store is unavailable. */
export type OnStoreFailure = 'local' | 'open' | 'closed';
