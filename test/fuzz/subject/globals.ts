/** Global objects. A change to one affects all code in the process. */
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

/** Values by property. */
type Own = ReadonlyMap<PropertyKey, unknown>;

const { entries, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** @returns a function that describes the first change since; null if there is none */
export function watchGlobals(): () => string | null {
  const before = SHARED.map(([, object]) => listOwn(object));
  return function changes() {
    for (const [index, [name, object]] of SHARED.entries()) {
      const change = changed(before[index]!, listOwn(object));
      if (change !== null) return `${name}: ${change}`;
    }
    return null;
  };
}

/** The prototype and own properties: values of functions and objects, and only the existence of other properties. */
function listOwn(object: object): Own {
  const own = new Map<PropertyKey, unknown>([['its prototype', getPrototypeOf(object)]]);
  for (const key of ownKeys(object)) {
    own.set(key, null);
    for (const [field, value] of entries(getOwnPropertyDescriptor(object, key) ?? {})) {
      // Libraries may set numbers, such as `Error.stackTraceLimit`.
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
