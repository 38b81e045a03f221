import type { accountJson } from '../control-plane/admin/resources/accounts/accounts.ts';
import type { requestJson } from '../control-plane/admin/resources/accounts/plan-requests.ts';
import type { entryJson } from '../control-plane/admin/resources/audit/audit.ts';
import type { banJson } from '../control-plane/admin/resources/ban-list.ts';
import type { Reloaded } from '../control-plane/admin/resources/configuration.ts';
import type { eventJson } from '../control-plane/admin/resources/events/events.ts';
import type { previewJson } from '../control-plane/admin/resources/history/preview.ts';
import type { deletedJson } from '../control-plane/admin/resources/history/usage-history.ts';
import type { keyJson } from '../control-plane/admin/resources/key-json.ts';
import type { operationJson } from '../control-plane/admin/resources/operations.ts';
import type { usageJson } from '../control-plane/admin/resources/quotas.ts';
import type { configurationJson, gatewayJson, systemJson } from '../control-plane/admin/resources/system/system.ts';
import type { explanationJson, usageReportJson } from '../control-plane/history/report-json.ts';
import type { deliveryJson, webhookJson } from '../control-plane/webhooks/webhook-json.ts';

/** Responses of the admin API: as it makes them. */
export type ReloadAnswer = Reloaded;

export type KeyAnswer = ReturnType<typeof keyJson>;

export interface NewKeyAnswer extends KeyAnswer {
  /** The secret. */
  readonly key: string;
}

/** A link that signs in once. */
export interface LinkAnswer {
  readonly url: string;
  readonly expiresAt: string;
}

export type WebhookAnswer = ReturnType<typeof webhookJson>;

export interface NewWebhookAnswer extends WebhookAnswer {
  readonly secret: string;
}

export type DeliveryAnswer = ReturnType<typeof deliveryJson>;
export type AccountAnswer = ReturnType<typeof accountJson>;
export type PlanRequestAnswer = ReturnType<typeof requestJson>;
export type BanAnswer = ReturnType<typeof banJson>;
export type UsageAnswer = ReturnType<typeof usageJson>;
export type AuditAnswer = ReturnType<typeof entryJson>;
export type EventAnswer = ReturnType<typeof eventJson>;
export type OperationAnswer = ReturnType<typeof operationJson>;

export type UsageHistoryAnswer = ReturnType<typeof usageReportJson>;
export type SeriesAnswer = UsageHistoryAnswer['series'][number];
export type FiguresAnswer = SeriesAnswer['totals'];
export type ExplanationAnswer = ReturnType<typeof explanationJson>;
export type PreviewAnswer = ReturnType<typeof previewJson>;
export type DeletedAnswer = ReturnType<typeof deletedJson>;

export type SystemAnswer = ReturnType<typeof systemJson>;
export type ConfigurationAnswer = ReturnType<typeof configurationJson>;
export type GatewayAnswer = ReturnType<typeof gatewayJson>;
