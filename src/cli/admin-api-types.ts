import type { components, operations } from '../control-plane/admin/openapi/admin-types.ts';

/** Responses of the admin API, as described in its OpenAPI document. */
type Schemas = components['schemas'];

export type ReloadResponse = Schemas['ReloadReport'];
export type KeyResponse = Schemas['Key'];
export type NewKeyResponse = Schemas['KeyWithSecret'];
export type ImportedKeyResponse = Schemas['ImportedKey'];
export type ImportCheckResponse = Schemas['ImportCheck'];
export type BulkPreviewResponse = Schemas['BulkPreview'];
export type BulkProgressResponse = Schemas['BulkProgress'];
/** A sign-in link that can be used once. */
export type LinkResponse = operations['createSignInLink']['answers'][201];
export type WebhookResponse = Schemas['Webhook'];
export type NewWebhookResponse = Schemas['WebhookWithSecret'];
export type DeliveryResponse = Schemas['Delivery'];
export type AccountResponse = Schemas['Account'];
export type PlanRequestResponse = Schemas['PlanRequest'];
export type AccountRequestResponse = Schemas['AccountRequest'];
export type AccountApprovalResponse = operations['approveAccountRequest']['answers'][200];
export type BanResponse = Schemas['Ban'];
export type UsageResponse = Schemas['Usage'];
export type AuditResponse = Schemas['AuditEntry'] & { readonly before: Fields; readonly after: Fields };
type Fields = Readonly<Record<string, unknown>> | null;
export type EventResponse = Schemas['Event'];
export type OwnerResponse = Schemas['KeyOwner'];
export type OperationResponse = Schemas['Operation'];
export type ViolatedOperationsResponse = operations['listViolatedOperations']['answers'][200];
export type ViolationsResponse = operations['listViolations']['answers'][200];
export type UsageHistoryResponse = Schemas['UsageHistory'];
export type SeriesResponse = UsageHistoryResponse['series'][number];
export type FiguresResponse = SeriesResponse['totals'];
export type ExplanationResponse = Schemas['Explanation'];
export type RefusalResponse = Schemas['ListedRefusal'];
export type PreviewResponse = Schemas['Preview'];
export type DeletedResponse = operations['deleteUsageHistory']['answers'][200];
export type ComparisonResponse = operations['compareDocument']['answers'][200];
export type SystemResponse = Schemas['System'];
export type ConfigurationResponse = operations['getConfiguration']['answers'][200];
export type GatewaysResponse = operations['listGateways']['answers'][200];
export type GatewayResponse = Schemas['Gateway'];
export type TokenIssuerResponse = Schemas['TokenIssuer'];
export type TokenIssuersResponse = operations['listTokenIssuers']['answers'][200];
