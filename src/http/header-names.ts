/** Names remembered at most. Clients choose them, so there is a bound; but nearly all requests have the same few. */
const MAX_REMEMBERED = 1000;
/** Longer ones are not remembered. */
const MAX_REMEMBERED_LENGTH = 64;

/**
 * Remembers what a function says of names of header fields. Looking a name up as it was sent costs less than turning it
 * into lower case and looking at that.
 */
export function rememberByName<T>(ask: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return function remembered(name) {
    const found = known.get(name);
    if (found !== undefined) return found;
    const answer = ask(name);
    if (name.length > MAX_REMEMBERED_LENGTH) return answer;
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(name, answer);
    return answer;
  };
}
