// Written by `npm run client` from src/control-plane/admin/openapi; do not edit.

export interface operations {
  readonly getOpenApi: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: object };
  };
  readonly listAccountRequests: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly status?: components['schemas']['PlanRequestStatus'];
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['AccountRequest'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly approveAccountRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: {
      readonly owner?: components['schemas']['Owner'];
      readonly plan?: components['schemas']['AnyId'];
      readonly seconds: number;
      readonly reason?: components['schemas']['Reason'];
    };
    readonly answers: {
      readonly 200: {
        readonly request: components['schemas']['AccountRequest'];
        readonly account: components['schemas']['Account'];
        readonly url: string;
        readonly expiresAt: components['schemas']['Time'];
      };
    };
  };
  readonly declineAccountRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: components['schemas']['WithReason'];
    readonly answers: { readonly 200: components['schemas']['AccountRequest'] };
  };
  readonly listAccounts: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly owner?: components['schemas']['Owner'];
      readonly status?: components['schemas']['AccountStatus'];
      readonly plan?: components['schemas']['PlanId'];
      readonly q?: components['schemas']['FilterText'];
      readonly sort:
        | 'createdAt'
        | '-createdAt'
        | 'name'
        | '-name'
        | 'owner'
        | '-owner'
        | 'email'
        | '-email'
        | 'plan'
        | '-plan'
        | 'status'
        | '-status'
        | 'lastSignInAt'
        | '-lastSignInAt';
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Account'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly createAccount: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['NewAccount'];
    readonly answers: { readonly 201: components['schemas']['Account'] };
  };
  readonly getAccount: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Account'] };
  };
  readonly updateAccount: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: components['schemas']['AccountPatch'];
    readonly answers: { readonly 200: components['schemas']['Account'] };
  };
  readonly deleteAccount: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly createAccountLink: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: { readonly seconds: number };
    readonly answers: { readonly 201: { readonly url: string; readonly expiresAt: components['schemas']['Time'] } };
  };
  readonly listAudit: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly subject?: components['schemas']['FilterText'];
      readonly actor?: components['schemas']['FilterText'];
      readonly action?: components['schemas']['AuditAction'];
      readonly bulkId?: components['schemas']['FilterText'];
      readonly sequence?: number;
      readonly signIns: 'true' | 'false';
      readonly from?: components['schemas']['Time'];
      readonly to?: components['schemas']['Time'];
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['AuditEntry'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly banKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: {
      readonly seconds: number;
      readonly reason: components['schemas']['Reason'];
      readonly message?: components['schemas']['CustomerMessage'];
    };
    readonly answers: { readonly 200: components['schemas']['Ban'] };
  };
  readonly liftBan: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: {
      readonly reason?: components['schemas']['Reason'];
      readonly message?: components['schemas']['CustomerMessage'];
    };
    readonly answers: { readonly 204: undefined };
  };
  readonly listBans: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly key?: components['schemas']['FilterText'];
      readonly owner?: components['schemas']['Owner'];
      readonly status?: components['schemas']['BanStatus'];
      readonly sort: 'from' | '-from' | 'until' | '-until' | 'length' | '-length' | 'actor' | '-actor';
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Ban'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly listEvents: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly type?: components['schemas']['FilterText'];
      readonly subject?: components['schemas']['FilterText'];
      readonly from?: components['schemas']['Time'];
      readonly to?: components['schemas']['Time'];
      readonly sort: 'written' | '-written';
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Event'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly publishEvent: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['NewEvent'];
    readonly answers: {
      readonly 200: components['schemas']['PublishedEvent'];
      readonly 202: components['schemas']['PublishedEvent'];
    };
  };
  readonly listEventTypes: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly items: readonly components['schemas']['EventType'][] } };
  };
  readonly getUsageHistory: {
    readonly path: {};
    readonly query: {
      readonly from?: components['schemas']['Time'];
      readonly to?: components['schemas']['Time'];
      readonly every?: components['schemas']['Resolution'];
      readonly by?: 'key' | 'owner' | 'plan' | 'operation' | 'outcome';
      readonly key?: components['schemas']['FilterText'];
      readonly owner?: components['schemas']['Owner'];
      readonly plan?: components['schemas']['PlanId'];
      readonly operation?: components['schemas']['OperationId'];
      readonly outcome?: components['schemas']['FilterText'];
      readonly limit?: number;
      readonly points: 'true' | 'false';
    };
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['UsageHistory'] };
  };
  readonly deleteUsageHistory: {
    readonly path: {};
    readonly query: { readonly owner: components['schemas']['Owner'] };
    readonly body: components['schemas']['WithReason'];
    readonly answers: {
      readonly 200: { readonly owner: components['schemas']['Owner']; readonly keys: number; readonly rows: number };
    };
  };
  readonly listRefusals: {
    readonly path: {};
    readonly query: {
      readonly key?: components['schemas']['AnyId'];
      readonly owner?: components['schemas']['Owner'];
      readonly code?: components['schemas']['FilterText'];
      readonly operation?: components['schemas']['OperationId'];
      readonly limit: number;
      readonly cursor?: string;
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['ListedRefusal'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly explainRequest: {
    readonly path: { readonly requestId: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Explanation'] };
  };
  readonly listCallers: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Caller'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly listKeys: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly owner?: components['schemas']['Owner'];
      readonly plan?: components['schemas']['PlanId'];
      readonly status?: components['schemas']['KeyStatus'];
      readonly quotaId?: string;
      readonly replacedBy?: string;
      readonly q?: string;
      readonly unusedFor?: components['schemas']['Age'];
      readonly state?: components['schemas']['KeyState'];
      readonly expiresWithin?: components['schemas']['Age'];
      readonly sort:
        | 'createdAt'
        | '-createdAt'
        | 'name'
        | '-name'
        | 'owner'
        | '-owner'
        | 'plan'
        | '-plan'
        | 'status'
        | '-status'
        | 'expiresAt'
        | '-expiresAt'
        | 'lastUsedAt'
        | '-lastUsedAt';
      readonly include?: 'usage';
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['ListedKey'][];
        readonly nextCursor: components['schemas']['NextCursor'];
        readonly total: number | null;
      };
    };
  };
  readonly createKey: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['NewKey'];
    readonly answers: { readonly 201: components['schemas']['CreatedKey'] };
  };
  readonly getKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Key'] };
  };
  readonly updateKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: { readonly chain?: 'true' | 'false' };
    readonly body: components['schemas']['KeyPatch'];
    readonly answers: { readonly 200: components['schemas']['Key'] };
  };
  readonly revokeKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: { readonly chain?: 'true' | 'false' };
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly importKeys: {
    readonly path: {};
    readonly query: { readonly dryRun: 'true' | 'false' };
    readonly body: {
      readonly random?: components['schemas']['Random'];
      readonly keys: readonly components['schemas']['NewKey'][];
    };
    readonly answers: {
      readonly 200: components['schemas']['ImportCheck'];
      readonly 201: { readonly items: readonly components['schemas']['ImportedKey'][] };
    };
  };
  readonly bulkChangeKeys: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['BulkRequest'];
    readonly answers: { readonly 200: components['schemas']['BulkPreview'] | components['schemas']['BulkProgress'] };
  };
  readonly rotateKey: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: { readonly graceSeconds?: number; readonly graceUntil?: components['schemas']['GraceUntil'] };
    readonly answers: { readonly 201: components['schemas']['KeyWithSecret'] };
  };
  readonly listOperations: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Operation'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly listOwners: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly q?: components['schemas']['FilterText'];
      readonly sort:
        | 'owner'
        | '-owner'
        | 'keys'
        | '-keys'
        | 'activeKeys'
        | '-activeKeys'
        | 'lastUsedAt'
        | '-lastUsedAt'
        | 'requests'
        | '-requests';
      readonly from?: components['schemas']['Time'];
      readonly to?: components['schemas']['Time'];
      readonly every?: components['schemas']['Resolution'];
      readonly points: 'true' | 'false';
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly period: components['schemas']['UsagePeriod'];
        readonly items: readonly components['schemas']['KeyOwner'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly listPlanRequests: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly status?: components['schemas']['PlanRequestStatus'];
      readonly account?: components['schemas']['FilterText'];
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['PlanRequest'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly approvePlanRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: components['schemas']['WithReason'];
    readonly answers: { readonly 200: components['schemas']['PlanRequest'] };
  };
  readonly declinePlanRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: NonNullable<components['schemas']['WithReason']> &
      Required<Pick<components['schemas']['WithReason'], 'reason'>>;
    readonly answers: { readonly 200: components['schemas']['PlanRequest'] };
  };
  readonly listPlans: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string; readonly include?: 'keys' };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['ListedPlan'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly createPlan: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['NewPlan'];
    readonly answers: { readonly 201: components['schemas']['Plan'] };
  };
  readonly getPlan: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Plan'] };
  };
  readonly putPlan: {
    readonly path: { readonly id: components['schemas']['PlanId'] };
    readonly query: {};
    readonly body: components['schemas']['PutPlan'];
    readonly answers: { readonly 200: components['schemas']['Plan']; readonly 201: components['schemas']['Plan'] };
  };
  readonly deletePlan: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly previewPlan: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: {
      readonly limits: NonNullable<components['schemas']['Limits']>;
      readonly keys?: readonly components['schemas']['AnyId'][];
    };
    readonly answers: { readonly 200: components['schemas']['Preview'] };
  };
  readonly getUsage: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Usage'] };
  };
  readonly resetUsage: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: { readonly window?: 'minute' | 'day' | 'month' };
    readonly body: components['schemas']['WithReason'];
    readonly answers: { readonly 200: components['schemas']['Usage'] };
  };
  readonly getSession: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Identity'] };
  };
  readonly signIn: {
    readonly path: {};
    readonly query: {};
    readonly body: { readonly token: string };
    readonly answers: { readonly 201: components['schemas']['Identity'] };
  };
  readonly signOut: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly getSignInMethods: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: { readonly methods: readonly ('oidc' | 'token')[] } };
  };
  readonly createSignInLink: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 201: { readonly url: string; readonly expiresAt: components['schemas']['Time'] } };
  };
  readonly listSessions: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Session'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly revokeSession: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly getSystem: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['System'] };
  };
  readonly reloadConfiguration: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Reloaded'] };
  };
  readonly getConfiguration: {
    readonly path: {};
    readonly query: {};
    readonly body: undefined;
    readonly answers: {
      readonly 200: { readonly file: string; readonly settings: readonly components['schemas']['Setting'][] };
    };
  };
  readonly listGateways: {
    readonly path: {};
    readonly query: { readonly limit: number; readonly cursor?: string };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Gateway'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly listWebhooks: {
    readonly path: {};
    readonly query: {
      readonly limit: number;
      readonly cursor?: string;
      readonly account?: components['schemas']['FilterText'];
      readonly status?: components['schemas']['WebhookStatus'];
      readonly state?: 'failing';
      readonly sort: 'createdAt' | '-createdAt' | 'name' | '-name' | 'status' | '-status';
    };
    readonly body: undefined;
    readonly answers: {
      readonly 200: {
        readonly items: readonly components['schemas']['Webhook'][];
        readonly nextCursor: components['schemas']['NextCursor'];
      };
    };
  };
  readonly createWebhook: {
    readonly path: {};
    readonly query: {};
    readonly body: components['schemas']['NewWebhook'];
    readonly answers: { readonly 201: components['schemas']['WebhookWithSecret'] };
  };
  readonly getWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Webhook'] };
  };
  readonly updateWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: components['schemas']['WebhookPatch'];
    readonly answers: { readonly 200: components['schemas']['Webhook'] };
  };
  readonly deleteWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 204: undefined };
  };
  readonly testWebhook: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['Delivery'] };
  };
  readonly rotateWebhookSecret: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: { readonly graceSeconds: number };
    readonly answers: { readonly 200: components['schemas']['WebhookWithSecret'] };
  };
  readonly listWebhookDeliveries: {
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
  readonly listDeliveries: {
    readonly path: {};
    readonly query: {
      readonly event: components['schemas']['FilterText'];
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
  readonly getDeliveryRequest: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 200: components['schemas']['SentRequest'] };
  };
  readonly redeliver: {
    readonly path: { readonly id: components['schemas']['AnyId'] };
    readonly query: {};
    readonly body: undefined;
    readonly answers: { readonly 202: components['schemas']['Delivery'] };
  };
}
export interface components {
  schemas: {
    readonly Reason: string;
    readonly CustomerMessage: string;
    readonly CustomerMessageOrNull: string | null;
    readonly WithReason: { readonly reason?: components['schemas']['Reason'] };
    readonly AccountRequest: {
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly purpose: string;
      readonly plan: components['schemas']['PlanId'];
      readonly status: components['schemas']['PlanRequestStatus'];
      readonly reason: string | null;
      readonly accountId: string | null;
      readonly knownAccountId: string | null;
      readonly createdAt: components['schemas']['Time'];
      readonly decidedAt: components['schemas']['TimeOrNull'];
      readonly decidedBy: string | null;
    };
    readonly AccountStatus: 'active' | 'disabled';
    readonly Email: string | null;
    readonly NewAccount: {
      readonly owner: components['schemas']['Owner'];
      readonly name: components['schemas']['Name'];
      readonly email: components['schemas']['Email'];
      readonly plan: components['schemas']['PlanId'];
    };
    readonly AccountPatch: {
      readonly name?: components['schemas']['Name'];
      readonly email?: components['schemas']['Email'];
      readonly status?: components['schemas']['AccountStatus'];
      readonly plan?: components['schemas']['PlanId'];
    };
    readonly Account: {
      readonly id: string;
      readonly owner: components['schemas']['Owner'];
      readonly name: components['schemas']['Name'];
      readonly email: components['schemas']['Email'];
      readonly status: components['schemas']['AccountStatus'];
      readonly plan: components['schemas']['PlanId'];
      readonly quotaId: string;
      readonly createdAt: components['schemas']['Time'];
      readonly lastSignInAt: components['schemas']['TimeOrNull'];
    };
    readonly AuditAction:
      | 'key.create'
      | 'key.update'
      | 'key.revoke'
      | 'key.rotate'
      | 'key.retire'
      | 'key.address_refused'
      | 'key.sign_in'
      | 'key.sign_out'
      | 'plan.put'
      | 'plan.delete'
      | 'plans.seed'
      | 'ban.start'
      | 'ban.lift'
      | 'bulk.start'
      | 'account.create'
      | 'account.update'
      | 'account.delete'
      | 'account.link'
      | 'account.bind'
      | 'account.sign_in'
      | 'account.sign_out'
      | 'plan_request.create'
      | 'plan_request.approve'
      | 'plan_request.decline'
      | 'plan_request.withdraw'
      | 'account_request.approve'
      | 'account_request.decline'
      | 'webhook.create'
      | 'webhook.update'
      | 'webhook.rotate'
      | 'webhook.disable'
      | 'webhook.delete'
      | 'usage.reset'
      | 'usage.delete'
      | 'session.start'
      | 'session.end'
      | 'session.revoke'
      | 'session.link'
      | 'config.reload';
    readonly AuditEntry: {
      readonly sequence: number;
      readonly at: components['schemas']['Time'];
      readonly actor: string;
      readonly action: components['schemas']['AuditAction'];
      readonly subject: string;
      readonly reason: string | null;
      readonly message: string | null;
      readonly bulkId: string | null;
      readonly before: object | null;
      readonly after: object | null;
    };
    readonly BanLevel: number;
    readonly BanStatus: 'active' | 'expired' | 'lifted' | 'replaced';
    readonly Ban: {
      readonly keyId: string;
      readonly quotaId: string;
      readonly status: components['schemas']['BanStatus'];
      readonly manual: boolean;
      readonly level: components['schemas']['BanLevel'];
      readonly from: components['schemas']['Time'];
      readonly until: components['schemas']['Time'];
      readonly endedAt: components['schemas']['TimeOrNull'];
      readonly actor: string;
      readonly reason: string | null;
      readonly message: components['schemas']['CustomerMessageOrNull'];
      readonly evidence: {
        readonly strikes: number;
        readonly windows: readonly {
          readonly name: 'minute' | 'day' | 'month';
          readonly limit: number;
          readonly used: number;
          readonly resetsAt: components['schemas']['Time'];
        }[];
      } | null;
      readonly lift: {
        readonly at: components['schemas']['Time'];
        readonly actor: string;
        readonly reason: string | null;
        readonly message: components['schemas']['CustomerMessageOrNull'];
      } | null;
    };
    readonly NewEvent: {
      readonly id?: string;
      readonly type: string;
      readonly subject?: string;
      readonly at?: string;
      readonly data: object;
    };
    readonly PublishedEvent: { readonly id: string; readonly isNew: boolean };
    readonly Event: {
      readonly id: string;
      readonly type: string;
      readonly subject: string | null;
      readonly owner: string | null;
      readonly source: string;
      readonly at: components['schemas']['Time'];
      readonly data: object;
    };
    readonly EventType: {
      readonly name: string;
      readonly source: string;
      readonly summary: string;
      readonly audience: 'owner' | 'plan' | 'everyone' | 'operators';
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
    readonly ListedRefusal: NonNullable<components['schemas']['RecentRefusalFields']> & {
      readonly keyName: string | null;
      readonly owner: string | null;
      readonly account: components['schemas']['OwnerAccount'];
    };
    readonly OwnerAccount: { readonly id: string; readonly name: string; readonly email: string | null } | null;
    readonly Caller: {
      readonly key: string;
      readonly owner: string | null;
      readonly email: string | null;
      readonly plan: string | null;
      readonly firstAt: components['schemas']['Time'];
      readonly lastAt: components['schemas']['Time'];
      readonly requests: components['schemas']['Requests'];
    };
    readonly Metadata: Readonly<Record<string, string>>;
    readonly Secret: string;
    readonly Random: boolean;
    readonly ExternalId: string | null;
    readonly BulkRequest: {
      readonly action: components['schemas']['BulkAction'];
      readonly filter: components['schemas']['BulkFilter'];
      readonly seconds?: number;
      readonly reason?: components['schemas']['Reason'];
      readonly message?: components['schemas']['CustomerMessage'];
      readonly preview: boolean;
      readonly digest?: components['schemas']['BulkDigest'];
    };
    readonly BulkAction: 'disable' | 'enable' | 'revoke' | 'ban' | 'lift';
    readonly BulkFilter: {
      readonly owner?: components['schemas']['Owner'];
      readonly plan?: components['schemas']['PlanId'];
      readonly q?: string;
      readonly ids?: readonly string[];
      readonly bulkId?: string;
      readonly status?: components['schemas']['KeyStatus'];
      readonly state?: components['schemas']['KeyState'];
      readonly unusedFor?: components['schemas']['Age'];
      readonly expiresWithin?: components['schemas']['Age'];
    };
    readonly BulkDigest: string;
    readonly KeyState: 'expired' | 'rotating' | 'banned';
    readonly Age: string;
    readonly BulkPreview: {
      readonly action: components['schemas']['BulkAction'];
      readonly keys: components['schemas']['BulkKeyCount'];
      readonly total: components['schemas']['BulkTotal'];
      readonly usedToday: number;
      readonly replaced: { readonly keys: number; readonly usedToday: number };
      readonly digest: components['schemas']['BulkDigest'];
      readonly sample: readonly components['schemas']['Key'][];
    };
    readonly BulkProgress: {
      readonly bulkId: string;
      readonly action: components['schemas']['BulkAction'];
      readonly keys: components['schemas']['BulkKeyCount'];
      readonly total: components['schemas']['BulkTotal'];
      readonly done: number;
      readonly changed: number;
      readonly skipped: number;
      readonly finished: boolean;
    };
    readonly BulkKeyCount: number;
    readonly BulkTotal: number;
    readonly ImportCheck: {
      readonly existing: readonly components['schemas']['ExistingKey'][];
      readonly unchanged: readonly components['schemas']['ExistingKey'][];
    };
    readonly ExistingKey: { readonly index: number; readonly id: string };
    readonly NewKey: {
      readonly sha256?: string;
      readonly prefix?: string;
      readonly lastFour?: string;
      readonly random?: components['schemas']['Random'];
      readonly externalId: components['schemas']['ExternalId'];
      readonly name: components['schemas']['Name'];
      readonly owner: components['schemas']['Owner'];
      readonly plan: components['schemas']['PlanId'];
      readonly limits: components['schemas']['Limits'];
      readonly operations: components['schemas']['Operations'];
      readonly addresses: components['schemas']['Addresses'];
      readonly expiresAt: components['schemas']['TimeOrNull'];
      readonly metadata: components['schemas']['Metadata'];
    };
    readonly KeyPatch: {
      readonly name?: components['schemas']['Name'];
      readonly plan?: components['schemas']['PlanId'];
      readonly limits?: components['schemas']['Limits'];
      readonly operations?: components['schemas']['Operations'];
      readonly addresses?: components['schemas']['Addresses'];
      readonly status?: components['schemas']['KeyStatus'];
      readonly expiresAt?: components['schemas']['TimeOrNull'];
      readonly metadata?: components['schemas']['Metadata'];
    };
    readonly KeyFields: {
      readonly id: string;
      readonly name: components['schemas']['Name'];
      readonly owner: components['schemas']['Owner'];
      readonly plan: components['schemas']['PlanId'];
      readonly limits: components['schemas']['Limits'];
      readonly operations: components['schemas']['Operations'];
      readonly addresses: components['schemas']['Addresses'];
      readonly prefix: string;
      readonly lastFour: string;
      readonly externalId: components['schemas']['ExternalId'];
      readonly status: components['schemas']['KeyStatus'];
      readonly metadata: components['schemas']['Metadata'];
      readonly createdAt: components['schemas']['Time'];
      readonly expiresAt: components['schemas']['TimeOrNull'];
      readonly lastUsedAt: components['schemas']['TimeOrNull'];
      readonly quotaId: string;
      readonly rotatedTo: string | null;
      readonly grace: components['schemas']['KeyGrace'];
    };
    readonly Key: NonNullable<components['schemas']['KeyFields']> & {
      readonly replaced?: readonly components['schemas']['ReplacedKey'][];
      readonly account?: components['schemas']['OwnerAccount'];
    };
    readonly ReplacedKey: {
      readonly id: string;
      readonly prefix: string;
      readonly lastFour: string;
      readonly expiresAt: components['schemas']['TimeOrNull'];
      readonly lastUsedAt: components['schemas']['TimeOrNull'];
      readonly grace: components['schemas']['KeyGrace'];
    };
    readonly ListedKey: NonNullable<components['schemas']['KeyFields']> & {
      readonly usage?: components['schemas']['Usage'];
      readonly account?: components['schemas']['OwnerAccount'];
    };
    readonly KeyWithSecret: NonNullable<components['schemas']['KeyFields']> & {
      readonly key: components['schemas']['Secret'];
    };
    readonly CreatedKey: NonNullable<components['schemas']['KeyFields']> & {
      readonly key?: components['schemas']['Secret'];
    };
    readonly ImportedKey: NonNullable<components['schemas']['KeyFields']> & {
      readonly created: boolean;
      readonly key?: components['schemas']['Secret'];
    };
    readonly Operation: {
      readonly id: string;
      readonly method: string;
      readonly path: string;
      readonly tags: readonly string[];
      readonly public: boolean;
      readonly upstream: string;
      readonly cost: number;
      readonly lifecycle: {
        readonly deprecated: boolean;
        readonly deprecatedAt: components['schemas']['TimeOrNull'];
        readonly sunsetAt: components['schemas']['TimeOrNull'];
        readonly brownouts: readonly {
          readonly from: components['schemas']['Time'];
          readonly to: components['schemas']['Time'];
        }[];
        readonly stability: 'experimental' | 'draft' | 'alpha' | 'beta' | 'stable';
        readonly successor: string | null;
        readonly deprecationLink: string | null;
      };
    };
    readonly Owner: string;
    readonly KeyOwner: {
      readonly owner: components['schemas']['Owner'];
      readonly account: components['schemas']['OwnerAccount'];
      readonly keys: number;
      readonly activeKeys: number;
      readonly plans: readonly string[];
      readonly lastUsedAt: components['schemas']['Time'] | null;
      readonly usage: components['schemas']['OwnerUsage'] | null;
    };
    readonly OwnerUsage: {
      readonly totals: components['schemas']['UsageTotals'];
      readonly points: readonly components['schemas']['UsagePoint'][];
    };
    readonly UsagePeriod: {
      readonly from: components['schemas']['Time'];
      readonly to: components['schemas']['Time'];
      readonly every: components['schemas']['Resolution'];
      readonly countedSince: components['schemas']['CountedSince'];
    } | null;
    readonly PlanRequestStatus: 'open' | 'approved' | 'declined';
    readonly PlanRequest: {
      readonly id: string;
      readonly account: {
        readonly id: string;
        readonly owner: components['schemas']['Owner'];
        readonly name: components['schemas']['Name'];
        readonly plan: components['schemas']['PlanId'];
      };
      readonly plan: components['schemas']['PlanId'];
      readonly message: string;
      readonly status: components['schemas']['PlanRequestStatus'];
      readonly reason: string | null;
      readonly createdAt: components['schemas']['Time'];
      readonly decidedAt: components['schemas']['TimeOrNull'];
      readonly decidedBy: string | null;
    };
    readonly Limits: { readonly minute: number; readonly day: number; readonly month?: number } | null;
    readonly Operations: readonly string[] | null;
    readonly Mode: 'enforce' | 'shadow';
    readonly OnStoreFailure: 'local' | 'open' | 'closed';
    readonly NewPlan: NonNullable<components['schemas']['PutPlan']> &
      Required<Pick<components['schemas']['PutPlan'], 'id'>>;
    readonly PutPlan: {
      readonly id?: components['schemas']['PlanId'];
      readonly name: components['schemas']['Name'];
      readonly description: string;
      readonly priceText: components['schemas']['PriceText'];
      readonly limits: components['schemas']['Limits'];
      readonly custom: boolean;
      readonly mode: components['schemas']['Mode'];
      readonly onStoreFailure: components['schemas']['OnStoreFailure'];
      readonly operations: components['schemas']['Operations'];
    };
    readonly PriceText: string;
    readonly Plan: {
      readonly id: components['schemas']['PlanId'];
      readonly name: components['schemas']['Name'];
      readonly description: string;
      readonly priceText: components['schemas']['PriceText'];
      readonly limits: components['schemas']['Limits'];
      readonly custom: boolean;
      readonly mode: components['schemas']['Mode'];
      readonly onStoreFailure: components['schemas']['OnStoreFailure'];
      readonly operations: components['schemas']['Operations'];
    };
    readonly ListedPlan: {
      readonly id: components['schemas']['PlanId'];
      readonly name: components['schemas']['Name'];
      readonly description: string;
      readonly priceText: components['schemas']['PriceText'];
      readonly limits: components['schemas']['Limits'];
      readonly custom: boolean;
      readonly mode: components['schemas']['Mode'];
      readonly onStoreFailure: components['schemas']['OnStoreFailure'];
      readonly operations: components['schemas']['Operations'];
      readonly keys?: number;
      readonly activeKeys?: number;
    };
    readonly Preview: {
      readonly plan: components['schemas']['PlanId'];
      readonly limits: NonNullable<components['schemas']['Limits']>;
      readonly minutesFrom: components['schemas']['Time'];
      readonly daysFrom: components['schemas']['Time'];
      readonly monthsFrom: components['schemas']['TimeOrNull'];
      readonly keysExamined: number;
      readonly keysAbove: number;
      readonly keysUsedUp: number;
      readonly keys: readonly {
        readonly key: string;
        readonly name: components['schemas']['Name'];
        readonly owner: components['schemas']['Owner'];
        readonly sharing: number;
        readonly minutes: components['schemas']['Excess'];
        readonly days: components['schemas']['Excess'];
        readonly months: components['schemas']['Excess'];
      }[];
    };
    readonly Excess: { readonly count: number; readonly peak: number };
    readonly Usage: {
      readonly keyId: string;
      readonly quotaId: string;
      readonly plan: components['schemas']['PlanId'];
      readonly windows: readonly components['schemas']['Window'][];
      readonly degraded?: components['schemas']['OwnCountsOnly'];
      readonly ban: {
        readonly from: components['schemas']['Time'];
        readonly until: components['schemas']['Time'];
        readonly level: components['schemas']['BanLevel'];
        readonly manual: boolean;
      } | null;
    };
    readonly Role: 'admin' | 'viewer';
    readonly Identity: {
      readonly name: components['schemas']['CallerName'];
      readonly role: components['schemas']['Role'];
      readonly session: components['schemas']['Session'] | null;
    };
    readonly CallerName: string;
    readonly Session: {
      readonly id: string;
      readonly name: components['schemas']['CallerName'];
      readonly role: components['schemas']['Role'];
      readonly method: 'token' | 'link' | 'oidc';
      readonly address: string;
      readonly userAgent: string;
      readonly createdAt: components['schemas']['Time'];
      readonly lastSeenAt: components['schemas']['Time'];
      readonly expiresAt: components['schemas']['Time'];
      readonly current: boolean;
    };
    readonly System: {
      readonly version: string;
      readonly nodeVersion: string;
      readonly gateway: {
        readonly id: string;
        readonly host: string;
        readonly startedAt: components['schemas']['Time'];
      };
      readonly health: 'starting' | 'ready' | 'degraded' | 'draining';
      readonly listeners: { readonly public: string; readonly admin: string };
      readonly components: readonly components['schemas']['Component'][];
      readonly history: { readonly lagMs: number; readonly pendingRows: number };
    };
    readonly Component: {
      readonly name: string;
      readonly kind: 'embedded' | 'redis' | 'sqlite' | 'postgres' | 'module' | 'http';
      readonly state: 'ready' | 'unknown' | 'degraded' | 'away';
      readonly since: components['schemas']['Time'];
      readonly cause: string | null;
    };
    readonly Setting: {
      readonly name: string;
      readonly value: unknown;
      readonly secret: boolean;
      readonly source: 'file' | 'environment' | 'default';
      readonly from: string | null;
    };
    readonly Reloaded: {
      readonly changed: readonly string[];
      readonly restart: readonly string[];
      readonly warnings: readonly string[];
    };
    readonly Gateway: {
      readonly id: string;
      readonly host: string;
      readonly version: string;
      readonly state: 'running' | 'stopped' | 'gone';
      readonly startedAt: components['schemas']['Time'];
      readonly lastSeenAt: components['schemas']['Time'];
      readonly current: boolean;
    };
    readonly NewWebhook: {
      readonly accountId: string | null;
      readonly url: components['schemas']['WebhookUrl'];
      readonly description: components['schemas']['WebhookDescription'];
      readonly types: components['schemas']['WebhookTypes'];
    };
    readonly WebhookFields: {
      readonly id: string;
      readonly accountId: string | null;
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
