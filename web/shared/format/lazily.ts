/** Creates a value on its first use. Some values, such as formatters, take the browser milliseconds to create. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
