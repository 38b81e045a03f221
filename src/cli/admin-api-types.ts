import type { components, operations } from '../control-plane/admin/openapi/admin-types.ts';

/** Responses of the admin API, as described in its OpenAPI document. */
type Schemas = components['schemas'];

export type ReloadAnswer = Schemas['Reloaded'];
export type KeyAnswer = Schemas['Key'];
export type NewKeyAnswer = Schemas['KeyWithSecret'];
export type ImportedKeyAnswer = Schemas['ImportedKey'];
export type ImportCheckAnswer = Schemas['ImportCheck'];
export type BulkPreviewAnswer = Schemas['BulkPreview'];
export type BulkProgressAnswer = Schemas['BulkProgress'];
/** A sign-in link that can be used once. */
export type LinkAnswer = operations['createSignInLink']['answers'][201];
export type WebhookAnswer = Schemas['Webhook'];
export type NewWebhookAnswer = Schemas['WebhookWithSecret'];
export type DeliveryAnswer = Schemas['Delivery'];
export type AccountAnswer = Schemas['Account'];
export type PlanRequestAnswer = Schemas['PlanRequest'];
export type AccountRequestAnswer = Schemas['AccountRequest'];
export type AccountApprovalAnswer = operations['approveAccountRequest']['answers'][200];
export type BanAnswer = Schemas['Ban'];
export type UsageAnswer = Schemas['Usage'];
export type AuditAnswer = Schemas['AuditEntry'] & { readonly before: Fields; readonly after: Fields };
type Fields = Readonly<Record<string, unknown>> | null;
export type EventAnswer = Schemas['Event'];
export type OwnerAnswer = Schemas['KeyOwner'];
export type OperationAnswer = Schemas['Operation'];
export type ViolationsAnswer = operations['listViolations']['answers'][200];
export type UsageHistoryAnswer = Schemas['UsageHistory'];
export type SeriesAnswer = UsageHistoryAnswer['series'][number];
export type FiguresAnswer = SeriesAnswer['totals'];
export type ExplanationAnswer = Schemas['Explanation'];
export type RefusalAnswer = Schemas['ListedRefusal'];
export type PreviewAnswer = Schemas['Preview'];
export type DeletedAnswer = operations['deleteUsageHistory']['answers'][200];
export type SystemAnswer = Schemas['System'];
export type ConfigurationAnswer = operations['getConfiguration']['answers'][200];
export type GatewayAnswer = Schemas['Gateway'];
