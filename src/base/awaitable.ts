/** A value now or later. A store that can answer synchronously does, which spares the request path a promise. */
export type Awaitable<T> = T | Promise<T>;
