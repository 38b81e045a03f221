// Written by `npm run client` from src/admin/admin.openapi.yaml; do not edit.

export interface paths {
  '/openapi.json': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': Record<string, unknown> } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          owner?: components['schemas']['Owner'];
          plan?: components['schemas']['PlanId'];
          status?: components['schemas']['KeyStatus'];
          q?: string;
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Key'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: string }; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['NewKey'] } };
      responses: {
        201: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['KeyWithSecret'] };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}': {
    get: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Key'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    patch: {
      parameters: {
        query?: { chain?: 'true' | 'false' };
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody: { content: { 'application/json': components['schemas']['KeyPatch'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Key'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query?: { chain?: 'true' | 'false' };
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/import': {
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: string }; path?: never };
      requestBody: { content: { 'application/json': { keys: components['schemas']['NewKey'][] } } };
      responses: {
        201: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['KeyWithSecret'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}/rotate': {
    post: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': { graceSeconds?: number } } };
      responses: {
        201: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['KeyWithSecret'] };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}/usage': {
    get: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Usage'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}/usage/reset': {
    post: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': components['schemas']['WithReason'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Usage'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}/ban': {
    put: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody: { content: { 'application/json': { seconds: number; reason: components['schemas']['Reason'] } } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Ban'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': components['schemas']['WithReason'] } };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/bans': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string; key?: string; status?: components['schemas']['BanStatus'] };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Ban'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/audit': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          subject?: string;
          actor?: string;
          action?: string;
          from?: components['schemas']['Time'];
          to?: components['schemas']['Time'];
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['AuditEntry'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/operations': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Operation'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plans': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Plan'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: string }; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['NewPlan'] } };
      responses: {
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Plan'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plans/{id}': {
    get: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Plan'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    put: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: string };
        path: { id: components['schemas']['PlanId'] };
      };
      requestBody: { content: { 'application/json': components['schemas']['PutPlan'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Plan'] } };
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Plan'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: string };
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
}
export interface components {
  schemas: {
    AnyId: string;
    Error: { code: string; message: string; status: number; details?: { path: string; message: string }[] };
    NextCursor: string | null;
    Limits: { minute: number; day: number } | null;
    PlanId: string;
    Plan: {
      id: components['schemas']['PlanId'];
      name: components['schemas']['Name'];
      description: string;
      limits: components['schemas']['Limits'];
      custom: boolean;
      mode: components['schemas']['Mode'];
      onStoreFailure: components['schemas']['OnStoreFailure'];
    };
    PutPlan: {
      id?: components['schemas']['PlanId'];
      name: components['schemas']['Name'];
      description?: string;
      limits?: components['schemas']['Limits'];
      custom?: boolean;
      mode?: components['schemas']['Mode'];
      onStoreFailure?: components['schemas']['OnStoreFailure'];
    };
    NewPlan: components['schemas']['PutPlan'] & Required<Pick<components['schemas']['PutPlan'], 'id'>>;
    Mode: 'enforce' | 'shadow';
    OnStoreFailure: 'local' | 'open' | 'closed';
    KeyStatus: 'active' | 'disabled' | 'revoked';
    Name: string;
    Owner: string;
    Reason: string;
    Metadata: Record<string, string>;
    Time: string;
    TimeOrNull: string | null;
    NewKey: {
      name: components['schemas']['Name'];
      owner: components['schemas']['Owner'];
      plan: components['schemas']['PlanId'];
      limits?: components['schemas']['Limits'];
      expiresAt?: components['schemas']['TimeOrNull'];
      metadata?: components['schemas']['Metadata'];
    };
    KeyPatch: {
      name?: components['schemas']['Name'];
      plan?: components['schemas']['PlanId'];
      limits?: components['schemas']['Limits'];
      status?: components['schemas']['KeyStatus'];
      expiresAt?: components['schemas']['TimeOrNull'];
      metadata?: components['schemas']['Metadata'];
    };
    KeyFields: {
      id: string;
      name: components['schemas']['Name'];
      owner: components['schemas']['Owner'];
      plan: components['schemas']['PlanId'];
      limits: components['schemas']['Limits'];
      prefix: string;
      lastFour: string;
      status: components['schemas']['KeyStatus'];
      metadata: components['schemas']['Metadata'];
      createdAt: components['schemas']['Time'];
      expiresAt: components['schemas']['TimeOrNull'];
      lastUsedAt: components['schemas']['TimeOrNull'];
      quotaId: string;
      rotatedTo: string | null;
    };
    Key: components['schemas']['KeyFields'];
    KeyWithSecret: components['schemas']['KeyFields'] & { key: string };
    WithReason: { reason?: components['schemas']['Reason'] };
    Window: {
      name: 'minute' | 'day';
      limit: number;
      used: number;
      remaining: number;
      resetsAt: components['schemas']['Time'];
    };
    Usage: {
      keyId: string;
      quotaId: string;
      plan: components['schemas']['PlanId'];
      windows: components['schemas']['Window'][];
      ban: {
        from: components['schemas']['Time'];
        until: components['schemas']['Time'];
        level: components['schemas']['BanLevel'];
        manual: boolean;
      } | null;
    };
    BanLevel: number;
    BanStatus: 'active' | 'expired' | 'lifted' | 'replaced';
    Ban: {
      keyId: string;
      quotaId: string;
      status: components['schemas']['BanStatus'];
      manual: boolean;
      level: components['schemas']['BanLevel'];
      from: components['schemas']['Time'];
      until: components['schemas']['Time'];
      endedAt: components['schemas']['TimeOrNull'];
      actor: string;
      reason: string | null;
      evidence: {
        strikes: number;
        windows: { name: 'minute' | 'day'; limit: number; used: number; resetsAt: components['schemas']['Time'] }[];
      } | null;
      lift: { at: components['schemas']['Time']; actor: string; reason: string | null } | null;
    };
    AuditEntry: {
      sequence: number;
      at: components['schemas']['Time'];
      actor: string;
      action: string;
      subject: string;
      reason: string | null;
      before: Record<string, unknown> | null;
      after: Record<string, unknown> | null;
    };
    Operation: {
      id: string;
      method: string;
      path: string;
      upstream: string;
      cost: number;
      lifecycle: {
        deprecated: boolean;
        deprecatedAt: components['schemas']['TimeOrNull'];
        sunsetAt: components['schemas']['TimeOrNull'];
        stability: 'experimental' | 'draft' | 'alpha' | 'beta' | 'stable';
        successor: string | null;
        deprecationLink: string | null;
      };
    };
  };
}
