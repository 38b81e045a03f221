/** A value now or later. Stores that can answer at once do, and spare the request path a promise. */
export type Awaitable<T> = T | Promise<T>;
