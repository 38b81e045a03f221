import type * as api from '../../api/operation.ts';
import type { PortalCaller } from '../access/caller.ts';

export type { Reply } from '../../api/operation.ts';
export type { PageQuery } from '../../api/respond.ts';

/** A request to the portal's API, read and validated. */
export type Call<Body = undefined, Query = object> = api.Call<Body, Query, PortalCaller>;

/** By operationId. */
export type PortalOperations = api.Operations<PortalCaller>;
