import type { accountJson, requestJson } from '../control-plane/admin/resources/accounts.ts';
import type { entryJson } from '../control-plane/admin/resources/audit.ts';
import type { banJson } from '../control-plane/admin/resources/bans.ts';
import type { Reloaded, configurationJson, gatewayJson, systemJson } from '../control-plane/admin/resources/system.ts';
import type { eventJson } from '../control-plane/admin/resources/events.ts';
import type { previewJson, deletedJson } from '../control-plane/admin/resources/history.ts';
import type { keyJson } from '../control-plane/admin/resources/key-json.ts';
import type { operationJson } from '../control-plane/admin/resources/operations.ts';
import type { usageJson } from '../control-plane/admin/resources/quotas.ts';
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
