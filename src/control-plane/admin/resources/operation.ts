import type * as api from '../../api/operation.ts';
import type { Caller } from '../access/authenticate.ts';

export type { Reply } from '../../api/operation.ts';
export type { PageQuery } from '../../api/respond.ts';

/** A request to the admin API, read and validated by the document in `openapi/`, which has all limits and defaults. */
export type Call<Body = undefined, Query = object> = api.Call<Body, Query, Caller>;

/** By operationId. */
export type AdminOperations = api.Operations<Caller>;
