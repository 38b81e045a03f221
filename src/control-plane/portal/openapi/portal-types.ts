// Written by `npm run client` from src/control-plane/portal/openapi; do not edit.

export interface operations {
  readonly getPortalOpenApi: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly createAccountRequest: {
    readonly path: {};
    readonly query: {};
    readonly body: {
      readonly name: components['schemas']['Name'];
      readonly email: string;
      readonly purpose: components['schemas']['Message'];
      readonly plan?: components['schemas']['PlanId'];
    };
    readonly answers: { readonly 202: undefined };
  };
  readonly getOwnAccount: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Account'] };
  };
  readonly updateOwnAccount: {
    readonly path: {};
    readonly query: {};
    readonly body: { readonly name: components['schemas']['Name'] };
    readonly answers: { readonly 200: components['schemas']['Account'] };
  };
  readonly listChanges: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['Change'][] } };
  };
  readonly getPublicFront: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Front'] };
  };
  readonly listPublicPlans: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['Plan'][] } };
  };
  readonly getPublicLimits: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['CallLimits'] };
  };
  readonly listPublicGuides: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['Guide'][] } };
  };
  readonly getPublicReference: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly getPublicReferenceIndex: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly getPublicReferencePart: {
    readonly path: {};
    readonly query: {
      readonly operation?: components['schemas']['PartName'];
      readonly event?: components['schemas']['PartName'];
      readonly schema?: components['schemas']['PartName'];
    };
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly getPublicSearchIndex: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['SearchIndex'] };
  };
  readonly listPublicEventTypes: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['EventType'][] } };
  };
  readonly listPublicPages: {
    readonly path: {};
    readonly query: { readonly text: 'true' | 'false' };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly {
          readonly name: string;
          readonly title: string;
          readonly description: string | null;
          readonly text?: string;
        }[];
      };
    };
  };
  readonly getPublicPage: {
    readonly path: { readonly name: components['schemas']['FilterText'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['TeamPage'] };
  };
  readonly getOwnUsageHistory: {
    readonly path: {};
    readonly query: {
      readonly from?: components['schemas']['Time'];
      readonly to?: components['schemas']['Time'];
      readonly every?: components['schemas']['Resolution'];
      readonly by?: 'key' | 'operation' | 'outcome';
      readonly key?: components['schemas']['FilterText'];
      readonly operation?: components['schemas']['OperationId'];
      readonly outcome?: components['schemas']['FilterText'];
      readonly limit?: number;
    };
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['UsageHistory'] };
  };
  readonly listOwnRefusals: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['RecentRefusals'] };
  };
  readonly explainOwnRequest: {
    readonly path: { readonly requestId: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Explanation'] };
  };
  readonly listOwnKeys: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly status?: components['schemas']['KeyStatus'];
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Key'][];
        readonly nextCursor: components['schemas']['NextCursor'];
        readonly maxKeys: number;
      };
    };
  };
  readonly createOwnKey: {
    readonly path: {};
    readonly query: {};
    readonly body: {
      readonly name: components['schemas']['Name'];
      readonly expiresAt: components['schemas']['TimeOrNull'];
    };
    readonly answers: { readonly 201: components['schemas']['KeyWithSecret'] };
  };
  readonly updateOwnKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: {
      readonly name?: components['schemas']['Name'];
      readonly addresses?: components['schemas']['Addresses'];
    };
    readonly answers: { readonly 200: components['schemas']['Key'] };
  };
  readonly rotateOwnKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: { readonly graceSeconds?: number; readonly graceUntil?: components['schemas']['GraceUntil'] };
    readonly answers: { readonly 201: components['schemas']['KeyWithSecret'] };
  };
  readonly revokeOwnKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: { readonly predecessors: 'true' | 'false' };
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Key'] };
  };
  readonly listOwnPlanRequests: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['PlanRequest'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly createOwnPlanRequest: {
    readonly path: {};
    readonly query: {};
    readonly body: {
      readonly plan: components['schemas']['PlanId'];
      readonly message: components['schemas']['Message'];
    };
    readonly answers: { readonly 201: components['schemas']['PlanRequest'] };
  };
  readonly withdrawOwnPlanRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly listOwnPlans: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly current: components['schemas']['Plan'];
        readonly requestable: readonly components['schemas']['Plan'][];
        readonly bans: components['schemas']['BanTerms'] | null;
      };
    };
  };
  readonly getOwnUsage: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['QuotaUsage'][] } };
  };
  readonly getReference: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly getReferenceIndex: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly previewSignInLink: {
    readonly path: {};
    readonly query: {};
    readonly body: { readonly token: components['schemas']['LinkToken'] };
    readonly answers: { readonly 200: { readonly name: components['schemas']['Name'] } };
  };
  readonly getPortalSession: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Whoami'] };
  };
  readonly portalSignIn: {
    readonly path: {};
    readonly query: {};
    readonly body: { readonly token?: components['schemas']['LinkToken']; readonly key?: string };
    readonly answers: { readonly 201: components['schemas']['Whoami'] };
  };
  readonly portalSignOut: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly listPortalSessions: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['Session'][] } };
  };
  readonly endPortalSession: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly getSite: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Site'] };
  };
  readonly tryCall: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['TryRequest'];
    readonly answers: { readonly 200: components['schemas']['TryAnswer'] };
  };
  readonly listOwnEventTypes: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['EventType'][] } };
  };
  readonly listOwnWebhooks: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Webhook'][];
        readonly nextCursor: components['schemas']['NextCursor'];
        readonly maxWebhooks: number;
      };
    };
  };
  readonly createOwnWebhook: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['NewWebhook'];
    readonly answers: { readonly 201: components['schemas']['WebhookWithSecret'] };
  };
  readonly getOwnWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Webhook'] };
  };
  readonly updateOwnWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: components['schemas']['WebhookPatch'];
    readonly answers: { readonly 200: components['schemas']['Webhook'] };
  };
  readonly deleteOwnWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly testOwnWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Delivery'] };
  };
  readonly rotateOwnWebhookSecret: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: { readonly graceSeconds: number };
    readonly answers: { readonly 200: components['schemas']['WebhookWithSecret'] };
  };
  readonly listOwnWebhookDeliveries: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly status?: components['schemas']['DeliveryStatus'];
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Delivery'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly getOwnDeliveryRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['SentRequest'] };
  };
  readonly redeliverOwn: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 202: components['schemas']['Delivery'] };
  };
}
export interface components {
  schemas: {
    readonly Account: {
      readonly id: string;
      readonly owner: string;
      readonly name: components['schemas']['Name'];
      readonly email: string | null;
      readonly plan: components['schemas']['PlanId'];
      readonly createdAt: components['schemas']['Time'];
      readonly lastSignInAt: components['schemas']['TimeOrNull'];
    };
    readonly Change: {
      readonly operation: string;
      readonly method: string;
      readonly path: string;
      readonly summary: string | null;
      readonly firstAt: components['schemas']['Time'];
      readonly lastAt: components['schemas']['Time'];
      readonly requests: number;
      readonly keys: readonly {
        readonly id: string;
        readonly lastAt: components['schemas']['Time'];
        readonly requests: number;
      }[];
      readonly deprecatedAt: components['schemas']['TimeOrNull'];
      readonly sunsetAt: components['schemas']['TimeOrNull'];
      readonly brownouts: readonly {
        readonly from: components['schemas']['Time'];
        readonly to: components['schemas']['Time'];
      }[];
      readonly successor: string | null;
      readonly link: string | null;
    };
    readonly CallLimits: {
      readonly bans: {
        readonly strikes: number;
        readonly withinSeconds: number;
        readonly graceSeconds: number;
        readonly patienceSeconds: number;
        readonly lengthsSeconds: readonly number[];
        readonly forgiveAfterSeconds: number;
      };
      readonly connections: {
        readonly maxHeaderBytes: number;
        readonly headersSeconds: number;
        readonly requestSeconds: number;
        readonly writeSeconds: number;
        readonly keepAliveSeconds: number;
        readonly maxTunnels: number;
        readonly tunnelIdleSeconds: number;
      };
      readonly services: {
        readonly maxBodyBytes: readonly number[];
        readonly responseSeconds: readonly number[];
        readonly idleSeconds: readonly number[];
      };
      readonly keys: {
        readonly maxPerAccount: number;
        readonly newPerDay: number;
        readonly graceSeconds: number;
        readonly quietSeconds: number;
        readonly maxGraceSeconds: number;
      };
      readonly history: {
        readonly minutesSeconds: number;
        readonly hoursSeconds: number;
        readonly daysSeconds: number;
      };
    };
    readonly Guide: {
      readonly name: string;
      readonly title: string;
      readonly sections: readonly { readonly title: string; readonly markdown: string }[];
    };
    readonly PartName: string;
    readonly SearchIndex: {
      readonly operations: readonly string[];
      readonly descriptions: readonly string[];
      readonly fields: Readonly<Record<string, readonly number[]>>;
    };
    readonly Front: {
      readonly description: string | null;
      readonly services: readonly {
        readonly name: string;
        readonly title: string;
        readonly description: string | null;
        readonly operations: number;
        readonly tags: readonly {
          readonly name: string;
          readonly title: string | null;
          readonly description: string | null;
          readonly operations: number;
        }[];
      }[];
      readonly firstCall: { readonly path: string; readonly needsKey: boolean };
    };
    readonly TeamPage: { readonly name: string; readonly title: string; readonly markdown: string };
    readonly RecentRefusals: {
      readonly items: readonly components['schemas']['RecentRefusal'][];
      readonly nextCursor: components['schemas']['NextCursor'];
      readonly bans: readonly components['schemas']['PastBan'][];
    };
    readonly RecentRefusal: NonNullable<components['schemas']['RecentRefusalFields']>;
    readonly PastBan: {
      readonly quotaId: string;
      readonly from: components['schemas']['Time'];
      readonly until: components['schemas']['Time'];
      readonly endedAt: components['schemas']['TimeOrNull'];
      readonly manual: boolean;
      readonly reason: string | null;
      readonly message: string | null;
    };
    readonly UsageHistory: {
      readonly from: components['schemas']['Time'];
      readonly to: components['schemas']['Time'];
      readonly every: components['schemas']['Resolution'];
      readonly countedSince: components['schemas']['CountedSince'];
      readonly series: readonly {
        readonly group: string | null;
        readonly totals: components['schemas']['UsageTotals'];
        readonly points: readonly components['schemas']['UsagePoint'][];
      }[];
      readonly others: components['schemas']['UsageTotals'] | null;
    };
    readonly KeyFields: {
      readonly id: string;
      readonly name: components['schemas']['Name'];
      readonly plan: components['schemas']['PlanId'];
      readonly addresses: components['schemas']['Addresses'];
      readonly prefix: string;
      readonly lastFour: string;
      readonly status: components['schemas']['KeyStatus'];
      readonly createdAt: components['schemas']['Time'];
      readonly expiresAt: components['schemas']['TimeOrNull'];
      readonly lastUsedAt: components['schemas']['TimeOrNull'];
      readonly quotaId: string;
      readonly rotatedTo: string | null;
      readonly grace: components['schemas']['KeyGrace'];
      readonly revokedByHolder?: { readonly at: components['schemas']['Time']; readonly reason: string | null };
    };
    readonly Key: NonNullable<components['schemas']['KeyFields']>;
    readonly KeyWithSecret: NonNullable<components['schemas']['KeyFields']> & { readonly key: string };
    readonly Message: string;
    readonly PlanRequest: {
      readonly id: string;
      readonly plan: components['schemas']['PlanId'];
      readonly message: components['schemas']['Message'];
      readonly status: 'open' | 'approved' | 'declined';
      readonly reason: string | null;
      readonly createdAt: components['schemas']['Time'];
      readonly decidedAt: components['schemas']['TimeOrNull'];
    };
    readonly Limits: { readonly minute: number; readonly day: number; readonly month?: number };
    readonly BanTerms: {
      readonly strikes: number;
      readonly withinSeconds: number;
      readonly lengthsSeconds: readonly number[];
    };
    readonly Plan: {
      readonly id: components['schemas']['PlanId'];
      readonly name: components['schemas']['Name'];
      readonly description: string;
      readonly priceText: string;
      readonly limits: components['schemas']['Limits'] | null;
      readonly operations: readonly string[] | null;
      readonly includes:
        | readonly {
            readonly selector: string;
            readonly name: string;
            readonly operation: string | null;
            readonly operations: number;
          }[]
        | null;
    };
    readonly QuotaUsage: {
      readonly quotaId: string;
      readonly plan: components['schemas']['PlanId'];
      readonly planName: components['schemas']['Name'];
      readonly keys: readonly string[];
      readonly windows: readonly components['schemas']['Window'][];
      readonly degraded?: components['schemas']['OwnCountsOnly'];
      readonly ban: components['schemas']['Ban'] | null;
    };
    readonly Ban: {
      readonly from: components['schemas']['Time'];
      readonly until: components['schemas']['Time'];
      readonly level: number;
      readonly manual: boolean;
      readonly reason: string | null;
      readonly message: string | null;
    };
    readonly LinkToken: string;
    readonly Session: {
      readonly id: string;
      readonly method: components['schemas']['SignInMethod'];
      readonly address: string;
      readonly userAgent: string;
      readonly createdAt: components['schemas']['Time'];
      readonly lastSeenAt: components['schemas']['Time'];
      readonly expiresAt: components['schemas']['Time'];
      readonly current: boolean;
    };
    readonly Whoami: {
      readonly account: components['schemas']['Account'] | null;
      readonly key: components['schemas']['Key'] | null;
      readonly session: components['schemas']['Session'];
    };
    readonly Site: {
      readonly title: string;
      readonly logo: string | null;
      readonly accent: string | null;
      readonly signIn: readonly components['schemas']['SignInMethod'][];
      readonly signUp: 'invite' | 'request' | 'open';
      readonly apiUrl: string;
      readonly public: boolean;
      readonly contact: string | null;
    };
    readonly SignInMethod: 'oidc' | 'link' | 'key';
    readonly BodyEncoding: 'utf8' | 'base64';
    readonly TryRequest: {
      readonly keyId: string;
      readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
      readonly bodyEncoding: components['schemas']['BodyEncoding'];
    };
    readonly TryAnswer: {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly bodyEncoding: components['schemas']['BodyEncoding'];
      readonly truncated: boolean;
      readonly durationMs: number;
      readonly requestId: string | null;
    };
    readonly NewWebhook: {
      readonly url: components['schemas']['WebhookUrl'];
      readonly description: components['schemas']['WebhookDescription'];
      readonly types: components['schemas']['WebhookTypes'];
    };
    readonly WebhookFields: {
      readonly id: string;
      readonly url: string;
      readonly description: string;
      readonly types: components['schemas']['WebhookTypes'];
      readonly status: components['schemas']['WebhookStatus'];
      readonly disabledReason: 'manual' | 'gone' | 'failing' | null;
      readonly disabledAt: components['schemas']['TimeOrNull'];
      readonly failingSince: components['schemas']['TimeOrNull'];
      readonly previousSecretUntil: components['schemas']['TimeOrNull'];
      readonly createdAt: components['schemas']['Time'];
    };
    readonly EventType: {
      readonly name: string;
      readonly summary: string;
      readonly audience: 'owner' | 'plan' | 'everyone';
      readonly schema: object | null;
    };
    readonly Error: {
      readonly code: string;
      readonly message: string;
      readonly status: number;
      readonly details?: readonly { readonly path: string; readonly message: string }[];
    };
    readonly NextCursor: string | null;
    readonly Window: {
      readonly name: 'minute' | 'day' | 'month';
      readonly limit: number;
      readonly used: number;
      readonly remaining: number;
      readonly resetsAt: components['schemas']['Time'];
    };
    readonly OwnCountsOnly: boolean;
    readonly Resolution: 'minute' | 'hour' | '6h' | 'day';
    readonly CountedSince: string | null;
    readonly Requests: number;
    readonly Milliseconds: number | null;
    readonly UsageFigures: {
      readonly requests: components['schemas']['Requests'];
      readonly units: number;
      readonly refused: number;
      readonly errors: number;
      readonly clientErrors: number;
      readonly p50Ms: components['schemas']['Milliseconds'];
      readonly p95Ms: components['schemas']['Milliseconds'];
      readonly p99Ms: components['schemas']['Milliseconds'];
    };
    readonly UsageTotals: NonNullable<components['schemas']['UsageFigures']>;
    readonly UsagePoint: NonNullable<components['schemas']['UsageFigures']> & {
      readonly at: components['schemas']['Time'];
    };
    readonly RecentRefusalFields: {
      readonly requestId: string;
      readonly at: components['schemas']['Time'];
      readonly keyId: string;
      readonly status: number;
      readonly code: string;
      readonly method: string;
      readonly operation: string | null;
      readonly path: string | null;
      readonly cause: string;
    };
    readonly Explanation: {
      readonly requestId: string;
      readonly refusals: readonly {
        readonly requestId: string;
        readonly at: components['schemas']['Time'];
        readonly keyId: string;
        readonly sentences: readonly string[];
        readonly timeline: readonly {
          readonly at: components['schemas']['Time'];
          readonly event:
            'window_opened' | 'first_refusal' | 'refused' | 'strikes' | 'ban_started' | 'ban_ends' | 'free';
          readonly text: string;
        }[];
        readonly answer?: string;
        readonly facts: object;
      }[];
    };
    readonly AnyId: string;
    readonly Name: string;
    readonly PlanId: string;
    readonly Addresses: readonly string[] | null;
    readonly KeyGrace: {
      readonly until: string;
      readonly since: components['schemas']['Time'];
      readonly lastUsedFrom: string | null;
      readonly callsLastDay?: number | null;
    } | null;
    readonly GraceUntil: 'quiet';
    readonly KeyStatus: 'active' | 'disabled' | 'revoked';
    readonly TextWithSecret: string;
    readonly FilterText: string;
    readonly OperationId: string;
    readonly Time: string;
    readonly TimeOrNull: string | null;
    readonly SentRequest: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
    readonly WebhookStatus: 'enabled' | 'disabled';
    readonly WebhookUrl: string;
    readonly WebhookDescription: string;
    readonly WebhookTypes: readonly string[];
    readonly WebhookPatch: {
      readonly url?: components['schemas']['WebhookUrl'];
      readonly description?: components['schemas']['WebhookDescription'];
      readonly types?: components['schemas']['WebhookTypes'];
      readonly status?: components['schemas']['WebhookStatus'];
    };
    readonly Webhook: NonNullable<components['schemas']['WebhookFields']>;
    readonly WebhookWithSecret: NonNullable<components['schemas']['WebhookFields']> & { readonly secret: string };
    readonly DeliveryStatus: 'pending' | 'delivered' | 'failed';
    readonly Delivery: {
      readonly id: string;
      readonly webhookId: string;
      readonly eventId: string;
      readonly type: string;
      readonly status: components['schemas']['DeliveryStatus'];
      readonly dueAt: components['schemas']['TimeOrNull'];
      readonly createdAt: components['schemas']['Time'];
      readonly endedAt: components['schemas']['TimeOrNull'];
      readonly attempts: readonly components['schemas']['DeliveryAttempt'][];
    };
    readonly DeliveryAttempt: {
      readonly number: number;
      readonly at: components['schemas']['Time'];
      readonly durationMs: number;
      readonly status: number | null;
      readonly error: string | null;
      readonly answer: string | null;
    };
  };
}
