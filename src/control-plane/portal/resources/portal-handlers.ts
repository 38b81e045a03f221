import type * as api from '../../api-server/handler-types.ts';
import type { PortalCaller } from '../access/caller.ts';
import type { components, operations } from '../openapi/portal-types.ts';

/** The handlers of the portal's API, by operationId. Their types follow the document. */
export type PortalOperations = api.Handlers<operations, PortalCaller>;

/** The JSON of the portal's API. */
export type Schemas = components['schemas'];
