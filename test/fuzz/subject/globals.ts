/** Global objects. A change to one of them affects all code in the process. */
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

/** The values of an object's own properties, by name. */
type Own = ReadonlyMap<PropertyKey, unknown>;

const { entries, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/**
 * Remembers the state of all global objects.
 *
 * @returns a function that describes the first change since then; null if there is none
 */
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

/** Lists the prototype and the own properties of an object. Only for functions and objects, it includes the values. */
function listOwn(object: object): Own {
  const own = new Map<PropertyKey, unknown>([['its prototype', getPrototypeOf(object)]]);
  for (const key of ownKeys(object)) {
    own.set(key, null);
    for (const [field, value] of entries(getOwnPropertyDescriptor(object, key) ?? {})) {
      // Values such as numbers are ignored, because libraries may set them (`Error.stackTraceLimit`).
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
