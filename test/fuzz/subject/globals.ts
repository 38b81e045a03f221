/** What all code of a process shares: whoever changes it, changes it for everybody. */
// prettier-ignore
const CONSTRUCTORS = [
  Object, Array, Function, String, Number, Boolean, BigInt, Symbol, RegExp, Date,
  Map, Set, WeakMap, Promise, Error, TypeError, Buffer, URL, URLSearchParams,
];
const SHARED: readonly (readonly [name: string, object: object])[] = [
  ...CONSTRUCTORS.flatMap((one) => [
    [one.name, one] as const,
    [`${one.name}.prototype`, one.prototype as object] as const,
  ]),
  ['JSON', JSON],
  ['Math', Math],
  ['Reflect', Reflect],
];

/** By property. */
type Own = ReadonlyMap<PropertyKey, unknown>;

const { entries, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** @returns tells what has changed since; null if nothing has */
export function watchGlobals(): () => string | null {
  const before = SHARED.map(([, object]) => ownOf(object));
  return function changes() {
    for (const [index, [name, object]] of SHARED.entries()) {
      const change = changed(before[index]!, ownOf(object));
      if (change !== null) return `${name}: ${change}`;
    }
    return null;
  };
}

/** Its prototype, and what its own properties hold: functions and objects, and of anything else that it is there. */
function ownOf(object: object): Own {
  const own = new Map<PropertyKey, unknown>([['its prototype', getPrototypeOf(object)]]);
  for (const key of ownKeys(object)) {
    own.set(key, null);
    for (const [field, value] of entries(getOwnPropertyDescriptor(object, key) ?? {})) {
      // Libraries may set a number, such as how long stack traces are.
      if (typeof value === 'function' || typeof value === 'object') own.set(`${String(key)} (${field})`, value);
    }
  }
  return own;
}

function changed(before: Own, now: Own): string | null {
  for (const key of now.keys()) if (!before.has(key)) return `${String(key)} is new`;
  for (const [key, value] of before) {
    if (!now.has(key)) return `${String(key)} is gone`;
    if (now.get(key) !== value) return `${String(key)} is another`;
  }
  return null;
}
