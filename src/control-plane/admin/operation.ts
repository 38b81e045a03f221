import type * as api from '../api/operation.ts';
import type { Caller } from './access/caller.ts';

export type { PageQuery, Reply } from '../api/operation.ts';

/** A request to the admin API, read and validated by the document in `openapi/`, which has all limits and defaults. */
export type Call<Body = undefined, Query = object> = api.Call<Body, Query, Caller>;

/** By operationId. */
export type AdminOperations = api.Operations<Caller>;
