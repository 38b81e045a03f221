import type * as api from '../../api-server/handler-types.ts';
import type { Caller } from '../access/authenticate-operator.ts';
import type { components, operations } from '../openapi/admin-types.ts';

/** The handlers of the admin API, by operationId. Their types follow the document. */
export type AdminOperations = api.Handlers<operations, Caller>;

/** The JSON of the admin API. */
export type Schemas = components['schemas'];
