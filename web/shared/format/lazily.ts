/** A value that is created on first use, such as a formatter: creating one takes the browser milliseconds. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
