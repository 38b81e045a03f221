// Written by `npm run client` from src/control-plane/admin/openapi; do not edit.

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
  '/account-requests': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string; status?: components['schemas']['PlanRequestStatus'] };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['AccountRequest'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/account-requests/{id}/approve': {
    post: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: {
        content: {
          'application/json': {
            owner?: components['schemas']['Owner'];
            plan?: components['schemas']['AnyId'];
            seconds?: number;
            reason?: components['schemas']['Reason'];
          };
        };
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              request: components['schemas']['AccountRequest'];
              account: components['schemas']['Account'];
              url: string;
              expiresAt: components['schemas']['Time'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/account-requests/{id}/decline': {
    post: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': components['schemas']['WithReason'] } };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['AccountRequest'] };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/accounts': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          owner?: components['schemas']['Owner'];
          status?: components['schemas']['AccountStatus'];
          plan?: components['schemas']['PlanId'];
          q?: components['schemas']['FilterText'];
          sort?:
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
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Account'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['NewAccount'] } };
      responses: {
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Account'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/accounts/{id}': {
    get: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Account'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    patch: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody: { content: { 'application/json': components['schemas']['AccountPatch'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Account'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/accounts/{id}/sign-in-link': {
    post: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': { seconds?: number } } };
      responses: {
        201: {
          headers: Record<string, string>;
          content: { 'application/json': { url: string; expiresAt: components['schemas']['Time'] } };
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
          subject?: components['schemas']['FilterText'];
          actor?: components['schemas']['FilterText'];
          action?: components['schemas']['AuditAction'];
          bulkId?: components['schemas']['FilterText'];
          sequence?: number;
          signIns?: 'true' | 'false';
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
            'text/csv': string;
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}/ban': {
    put: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody: {
        content: {
          'application/json': {
            seconds: number;
            reason: components['schemas']['Reason'];
            message?: components['schemas']['CustomerMessage'];
          };
        };
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Ban'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: {
        content: {
          'application/json': {
            reason?: components['schemas']['Reason'];
            message?: components['schemas']['CustomerMessage'];
          };
        };
      };
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
        query?: {
          limit?: number;
          cursor?: string;
          key?: components['schemas']['FilterText'];
          owner?: components['schemas']['Owner'];
          status?: components['schemas']['BanStatus'];
          sort?: 'from' | '-from' | 'until' | '-until' | 'length' | '-length' | 'actor' | '-actor';
        };
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
  '/events': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          type?: components['schemas']['FilterText'];
          subject?: components['schemas']['FilterText'];
          from?: components['schemas']['Time'];
          to?: components['schemas']['Time'];
          sort?: 'written' | '-written';
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Event'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['NewEvent'] } };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['PublishedEvent'] };
        };
        202: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['PublishedEvent'] };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/event-types': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['EventType'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/usage': {
    get: {
      parameters: {
        query?: {
          from?: components['schemas']['Time'];
          to?: components['schemas']['Time'];
          every?: components['schemas']['Resolution'];
          by?: 'key' | 'owner' | 'plan' | 'operation' | 'outcome';
          key?: components['schemas']['FilterText'];
          owner?: components['schemas']['Owner'];
          plan?: components['schemas']['PlanId'];
          operation?: components['schemas']['OperationId'];
          outcome?: components['schemas']['FilterText'];
          limit?: number;
          points?: 'true' | 'false';
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['UsageHistory']; 'text/csv': string };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query: { owner: components['schemas']['Owner'] };
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path?: never;
      };
      requestBody?: { content: { 'application/json': components['schemas']['WithReason'] } };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { owner: components['schemas']['Owner']; keys: number; rows: number } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/requests': {
    get: {
      parameters: {
        query?: {
          key?: components['schemas']['AnyId'];
          owner?: components['schemas']['Owner'];
          code?: components['schemas']['FilterText'];
          operation?: components['schemas']['OperationId'];
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['ListedRefusal'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/requests/{requestId}': {
    get: {
      parameters: { query?: never; header?: never; path: { requestId: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Explanation'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/operations/{id}/callers': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string };
        header?: never;
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Caller'][];
              nextCursor: components['schemas']['NextCursor'];
            };
            'text/csv': string;
          };
        };
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
          quotaId?: string;
          replacedBy?: string;
          q?: string;
          unusedFor?: components['schemas']['Age'];
          state?: components['schemas']['KeyState'];
          expiresWithin?: components['schemas']['Age'];
          sort?:
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
          include?: 'usage';
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['ListedKey'][];
              nextCursor: components['schemas']['NextCursor'];
              total: number | null;
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['NewKey'] } };
      responses: {
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['CreatedKey'] } };
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
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
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
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
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
      parameters: {
        query?: { dryRun?: 'true' | 'false' };
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path?: never;
      };
      requestBody: {
        content: {
          'application/json': { random?: components['schemas']['Random']; keys: components['schemas']['NewKey'][] };
        };
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['ImportCheck'] } };
        201: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['ImportedKey'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/bulk': {
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['BulkRequest'] } };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['BulkPreview'] | components['schemas']['BulkProgress'] };
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
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: {
        content: { 'application/json': { graceSeconds?: number; graceUntil?: components['schemas']['GraceUntil'] } };
      };
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
  '/owners': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          q?: components['schemas']['FilterText'];
          sort?:
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
          from?: components['schemas']['Time'];
          to?: components['schemas']['Time'];
          every?: components['schemas']['Resolution'];
          points?: 'true' | 'false';
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              period: components['schemas']['UsagePeriod'];
              items: components['schemas']['KeyOwner'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plan-requests': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          status?: components['schemas']['PlanRequestStatus'];
          account?: components['schemas']['FilterText'];
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['PlanRequest'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plan-requests/{id}/approve': {
    post: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': components['schemas']['WithReason'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['PlanRequest'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plan-requests/{id}/decline': {
    post: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      requestBody: {
        content: {
          'application/json': NonNullable<components['schemas']['WithReason']> &
            Required<Pick<components['schemas']['WithReason'], 'reason'>>;
        };
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['PlanRequest'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plans': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string; include?: 'keys' }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['ListedPlan'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
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
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
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
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plans/{id}/preview': {
    post: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      requestBody: {
        content: {
          'application/json': {
            limits: NonNullable<components['schemas']['Limits']>;
            keys?: components['schemas']['AnyId'][];
          };
        };
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Preview'] } };
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
        query?: { window?: 'minute' | 'day' | 'month' };
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
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
  '/session': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Identity'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: { content: { 'application/json': { token: string } } };
      responses: {
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Identity'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/session/methods': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': { methods: ('oidc' | 'token')[] } } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/session/link': {
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
      responses: {
        201: {
          headers: Record<string, string>;
          content: { 'application/json': { url: string; expiresAt: components['schemas']['Time'] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/sessions': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Session'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/sessions/{id}': {
    delete: {
      parameters: {
        query?: never;
        header?: { 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/system': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['System'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/config/reload': {
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Reloaded'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/system/configuration': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { file: string; settings: components['schemas']['Setting'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/gateways': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Gateway'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/webhooks': {
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
          account?: components['schemas']['FilterText'];
          status?: components['schemas']['WebhookStatus'];
          state?: 'failing';
          sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | 'status' | '-status';
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Webhook'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: { 'X-Change-Reason'?: components['schemas']['Reason'] }; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['NewWebhook'] } };
      responses: {
        201: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['WebhookWithSecret'] };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/webhooks/{id}': {
    get: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Webhook'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    patch: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody: { content: { 'application/json': components['schemas']['WebhookPatch'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Webhook'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/webhooks/{id}/test': {
    post: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Delivery'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/webhooks/{id}/rotate-secret': {
    post: {
      parameters: {
        query?: never;
        header?: { 'If-Match'?: string; 'X-Change-Reason'?: components['schemas']['Reason'] };
        path: { id: components['schemas']['AnyId'] };
      };
      requestBody?: { content: { 'application/json': { graceSeconds?: number } } };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['WebhookWithSecret'] };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/webhooks/{id}/deliveries': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string; status?: components['schemas']['DeliveryStatus'] };
        header?: never;
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Delivery'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/deliveries': {
    get: {
      parameters: {
        query: {
          event: components['schemas']['FilterText'];
          limit?: number;
          cursor?: string;
          status?: components['schemas']['DeliveryStatus'];
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Delivery'][];
              nextCursor: components['schemas']['NextCursor'];
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/deliveries/{id}/request': {
    get: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['SentRequest'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/deliveries/{id}/redeliver': {
    post: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        202: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Delivery'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
}
export interface components {
  schemas: {
    Reason: string;
    CustomerMessage: string;
    CustomerMessageOrNull: string | null;
    WithReason: { reason?: components['schemas']['Reason'] };
    AccountRequest: {
      id: string;
      name: string;
      email: string;
      purpose: string;
      plan: components['schemas']['PlanId'];
      status: components['schemas']['PlanRequestStatus'];
      reason: string | null;
      accountId: string | null;
      knownAccountId: string | null;
      createdAt: components['schemas']['Time'];
      decidedAt: components['schemas']['TimeOrNull'];
      decidedBy: string | null;
    };
    AccountStatus: 'active' | 'disabled';
    Email: string | null;
    NewAccount: {
      owner: components['schemas']['Owner'];
      name: components['schemas']['Name'];
      email?: components['schemas']['Email'];
      plan: components['schemas']['PlanId'];
    };
    AccountPatch: {
      name?: components['schemas']['Name'];
      email?: components['schemas']['Email'];
      status?: components['schemas']['AccountStatus'];
      plan?: components['schemas']['PlanId'];
    };
    Account: {
      id: string;
      owner: components['schemas']['Owner'];
      name: components['schemas']['Name'];
      email: components['schemas']['Email'];
      status: components['schemas']['AccountStatus'];
      plan: components['schemas']['PlanId'];
      quotaId: string;
      createdAt: components['schemas']['Time'];
      lastSignInAt: components['schemas']['TimeOrNull'];
    };
    AuditAction:
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
    AuditEntry: {
      sequence: number;
      at: components['schemas']['Time'];
      actor: string;
      action: components['schemas']['AuditAction'];
      subject: string;
      reason: string | null;
      message: string | null;
      bulkId: string | null;
      before: Record<string, unknown> | null;
      after: Record<string, unknown> | null;
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
      message: components['schemas']['CustomerMessageOrNull'];
      evidence: {
        strikes: number;
        windows: {
          name: 'minute' | 'day' | 'month';
          limit: number;
          used: number;
          resetsAt: components['schemas']['Time'];
        }[];
      } | null;
      lift: {
        at: components['schemas']['Time'];
        actor: string;
        reason: string | null;
        message: components['schemas']['CustomerMessageOrNull'];
      } | null;
    };
    NewEvent: { id?: string; type: string; subject?: string; at?: string; data: Record<string, unknown> };
    PublishedEvent: { id: string; isNew: boolean };
    Event: {
      id: string;
      type: string;
      subject: string | null;
      owner: string | null;
      source: string;
      at: components['schemas']['Time'];
      data: Record<string, unknown>;
    };
    EventType: { name: string; source: string; summary: string; audience: 'owner' | 'plan' | 'everyone' | 'operators' };
    UsageHistory: {
      from: components['schemas']['Time'];
      to: components['schemas']['Time'];
      every: components['schemas']['Resolution'];
      countedSince: components['schemas']['CountedSince'];
      series: {
        group: string | null;
        totals: components['schemas']['UsageTotals'];
        points: components['schemas']['UsagePoint'][];
      }[];
      others: components['schemas']['UsageTotals'] | null;
    };
    ListedRefusal: NonNullable<components['schemas']['RecentRefusalFields']> & {
      keyName: string | null;
      owner: string | null;
      account: components['schemas']['OwnerAccount'];
    };
    OwnerAccount: { id: string; name: string; email: string | null } | null;
    Caller: {
      key: string;
      owner: string | null;
      email: string | null;
      plan: string | null;
      firstAt: components['schemas']['Time'];
      lastAt: components['schemas']['Time'];
      requests: components['schemas']['Requests'];
    };
    Metadata: Record<string, string>;
    Secret: string;
    Random: boolean;
    ExternalId: string | null;
    BulkRequest: {
      action: components['schemas']['BulkAction'];
      filter: components['schemas']['BulkFilter'];
      seconds?: number;
      reason?: components['schemas']['Reason'];
      message?: components['schemas']['CustomerMessage'];
      preview?: boolean;
      digest?: components['schemas']['BulkDigest'];
    };
    BulkAction: 'disable' | 'enable' | 'revoke' | 'ban' | 'lift';
    BulkFilter: {
      owner?: components['schemas']['Owner'];
      plan?: components['schemas']['PlanId'];
      q?: string;
      ids?: string[];
      bulkId?: string;
      status?: components['schemas']['KeyStatus'];
      state?: components['schemas']['KeyState'];
      unusedFor?: components['schemas']['Age'];
      expiresWithin?: components['schemas']['Age'];
    };
    BulkDigest: string;
    KeyState: 'expired' | 'rotating' | 'banned';
    Age: string;
    BulkPreview: {
      action: components['schemas']['BulkAction'];
      keys: components['schemas']['BulkKeyCount'];
      total: components['schemas']['BulkTotal'];
      usedToday: number;
      replaced: { keys: number; usedToday: number };
      digest: components['schemas']['BulkDigest'];
      sample: components['schemas']['Key'][];
    };
    BulkProgress: {
      bulkId: string;
      action: components['schemas']['BulkAction'];
      keys: components['schemas']['BulkKeyCount'];
      total: components['schemas']['BulkTotal'];
      done: number;
      changed: number;
      skipped: number;
      finished: boolean;
    };
    BulkKeyCount: number;
    BulkTotal: number;
    ImportCheck: {
      existing: components['schemas']['ExistingKey'][];
      unchanged: components['schemas']['ExistingKey'][];
    };
    ExistingKey: { index: number; id: string };
    NewKey: {
      sha256?: string;
      prefix?: string;
      lastFour?: string;
      random?: components['schemas']['Random'];
      externalId?: components['schemas']['ExternalId'];
      name: components['schemas']['Name'];
      owner: components['schemas']['Owner'];
      plan: components['schemas']['PlanId'];
      limits?: components['schemas']['Limits'];
      operations?: components['schemas']['Operations'];
      addresses?: components['schemas']['Addresses'];
      expiresAt?: components['schemas']['TimeOrNull'];
      metadata?: components['schemas']['Metadata'];
    };
    KeyPatch: {
      name?: components['schemas']['Name'];
      plan?: components['schemas']['PlanId'];
      limits?: components['schemas']['Limits'];
      operations?: components['schemas']['Operations'];
      addresses?: components['schemas']['Addresses'];
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
      operations: components['schemas']['Operations'];
      addresses: components['schemas']['Addresses'];
      prefix: string;
      lastFour: string;
      externalId: components['schemas']['ExternalId'];
      status: components['schemas']['KeyStatus'];
      metadata: components['schemas']['Metadata'];
      createdAt: components['schemas']['Time'];
      expiresAt: components['schemas']['TimeOrNull'];
      lastUsedAt: components['schemas']['TimeOrNull'];
      quotaId: string;
      rotatedTo: string | null;
      grace: components['schemas']['KeyGrace'];
    };
    Key: NonNullable<components['schemas']['KeyFields']> & {
      replaced?: components['schemas']['ReplacedKey'][];
      account?: components['schemas']['OwnerAccount'];
    };
    ReplacedKey: {
      id: string;
      prefix: string;
      lastFour: string;
      expiresAt: components['schemas']['TimeOrNull'];
      lastUsedAt: components['schemas']['TimeOrNull'];
      grace: components['schemas']['KeyGrace'];
    };
    ListedKey: NonNullable<components['schemas']['KeyFields']> & {
      usage?: components['schemas']['Usage'];
      account?: components['schemas']['OwnerAccount'];
    };
    KeyWithSecret: NonNullable<components['schemas']['KeyFields']> & { key: components['schemas']['Secret'] };
    CreatedKey: NonNullable<components['schemas']['KeyFields']> & { key?: components['schemas']['Secret'] };
    ImportedKey: NonNullable<components['schemas']['KeyFields']> & {
      created: boolean;
      key?: components['schemas']['Secret'];
    };
    Operation: {
      id: string;
      method: string;
      path: string;
      tags: string[];
      public: boolean;
      upstream: string;
      cost: number;
      lifecycle: {
        deprecated: boolean;
        deprecatedAt: components['schemas']['TimeOrNull'];
        sunsetAt: components['schemas']['TimeOrNull'];
        brownouts: { from: components['schemas']['Time']; to: components['schemas']['Time'] }[];
        stability: 'experimental' | 'draft' | 'alpha' | 'beta' | 'stable';
        successor: string | null;
        deprecationLink: string | null;
      };
    };
    Owner: string;
    KeyOwner: {
      owner: components['schemas']['Owner'];
      account: components['schemas']['OwnerAccount'];
      keys: number;
      activeKeys: number;
      plans: string[];
      lastUsedAt: components['schemas']['Time'] | null;
      usage: components['schemas']['OwnerUsage'] | null;
    };
    OwnerUsage: { totals: components['schemas']['UsageTotals']; points: components['schemas']['UsagePoint'][] };
    UsagePeriod: {
      from: components['schemas']['Time'];
      to: components['schemas']['Time'];
      every: components['schemas']['Resolution'];
      countedSince: components['schemas']['CountedSince'];
    } | null;
    PlanRequestStatus: 'open' | 'approved' | 'declined';
    PlanRequest: {
      id: string;
      account: {
        id: string;
        owner: components['schemas']['Owner'];
        name: components['schemas']['Name'];
        plan: components['schemas']['PlanId'];
      };
      plan: components['schemas']['PlanId'];
      message: string;
      status: components['schemas']['PlanRequestStatus'];
      reason: string | null;
      createdAt: components['schemas']['Time'];
      decidedAt: components['schemas']['TimeOrNull'];
      decidedBy: string | null;
    };
    Limits: { minute: number; day: number; month?: number } | null;
    Operations: string[] | null;
    Mode: 'enforce' | 'shadow';
    OnStoreFailure: 'local' | 'open' | 'closed';
    NewPlan: NonNullable<components['schemas']['PutPlan']> & Required<Pick<components['schemas']['PutPlan'], 'id'>>;
    PutPlan: {
      id?: components['schemas']['PlanId'];
      name: components['schemas']['Name'];
      description?: string;
      priceText?: components['schemas']['PriceText'];
      limits?: components['schemas']['Limits'];
      custom?: boolean;
      mode?: components['schemas']['Mode'];
      onStoreFailure?: components['schemas']['OnStoreFailure'];
      operations?: components['schemas']['Operations'];
    };
    PriceText: string;
    Plan: {
      id: components['schemas']['PlanId'];
      name: components['schemas']['Name'];
      description: string;
      priceText: components['schemas']['PriceText'];
      limits: components['schemas']['Limits'];
      custom: boolean;
      mode: components['schemas']['Mode'];
      onStoreFailure: components['schemas']['OnStoreFailure'];
      operations: components['schemas']['Operations'];
    };
    ListedPlan: {
      id: components['schemas']['PlanId'];
      name: components['schemas']['Name'];
      description: string;
      priceText: components['schemas']['PriceText'];
      limits: components['schemas']['Limits'];
      custom: boolean;
      mode: components['schemas']['Mode'];
      onStoreFailure: components['schemas']['OnStoreFailure'];
      operations: components['schemas']['Operations'];
      keys?: number;
      activeKeys?: number;
    };
    Preview: {
      plan: components['schemas']['PlanId'];
      limits: NonNullable<components['schemas']['Limits']>;
      minutesFrom: components['schemas']['Time'];
      daysFrom: components['schemas']['Time'];
      monthsFrom: components['schemas']['TimeOrNull'];
      keysExamined: number;
      keysAbove: number;
      keysUsedUp: number;
      keys: {
        key: string;
        name: components['schemas']['Name'];
        owner: components['schemas']['Owner'];
        sharing: number;
        minutes: components['schemas']['Excess'];
        days: components['schemas']['Excess'];
        months: components['schemas']['Excess'];
      }[];
    };
    Excess: { count: number; peak: number };
    Usage: {
      keyId: string;
      quotaId: string;
      plan: components['schemas']['PlanId'];
      windows: components['schemas']['Window'][];
      degraded?: components['schemas']['OwnCountsOnly'];
      ban: {
        from: components['schemas']['Time'];
        until: components['schemas']['Time'];
        level: components['schemas']['BanLevel'];
        manual: boolean;
      } | null;
    };
    Role: 'admin' | 'viewer';
    Identity: {
      name: components['schemas']['CallerName'];
      role: components['schemas']['Role'];
      session: components['schemas']['Session'] | null;
    };
    CallerName: string;
    Session: {
      id: string;
      name: components['schemas']['CallerName'];
      role: components['schemas']['Role'];
      method: 'token' | 'link' | 'oidc';
      address: string;
      userAgent: string;
      createdAt: components['schemas']['Time'];
      lastSeenAt: components['schemas']['Time'];
      expiresAt: components['schemas']['Time'];
      current: boolean;
    };
    System: {
      version: string;
      nodeVersion: string;
      gateway: { id: string; host: string; startedAt: components['schemas']['Time'] };
      health: 'starting' | 'ready' | 'degraded' | 'draining';
      listeners: { public: string; admin: string };
      components: components['schemas']['Component'][];
      history: { lagMs: number; pendingRows: number };
    };
    Component: {
      name: string;
      kind: 'embedded' | 'redis' | 'sqlite' | 'postgres' | 'module' | 'http';
      state: 'ready' | 'unknown' | 'degraded' | 'away';
      since: components['schemas']['Time'];
      cause: string | null;
    };
    Setting: {
      name: string;
      value: unknown;
      secret: boolean;
      source: 'file' | 'environment' | 'default';
      from: string | null;
    };
    Reloaded: { changed: string[]; restart: string[]; warnings: string[] };
    Gateway: {
      id: string;
      host: string;
      version: string;
      state: 'running' | 'stopped' | 'gone';
      startedAt: components['schemas']['Time'];
      lastSeenAt: components['schemas']['Time'];
      current: boolean;
    };
    NewWebhook: {
      accountId?: string | null;
      url: components['schemas']['WebhookUrl'];
      description?: components['schemas']['WebhookDescription'];
      types: components['schemas']['WebhookTypes'];
    };
    WebhookFields: {
      id: string;
      accountId: string | null;
      url: string;
      description: string;
      types: components['schemas']['WebhookTypes'];
      status: components['schemas']['WebhookStatus'];
      disabledReason: 'manual' | 'gone' | 'failing' | null;
      disabledAt: components['schemas']['TimeOrNull'];
      failingSince: components['schemas']['TimeOrNull'];
      previousSecretUntil: components['schemas']['TimeOrNull'];
      createdAt: components['schemas']['Time'];
    };
    Error: { code: string; message: string; status: number; details?: { path: string; message: string }[] };
    NextCursor: string | null;
    Window: {
      name: 'minute' | 'day' | 'month';
      limit: number;
      used: number;
      remaining: number;
      resetsAt: components['schemas']['Time'];
    };
    OwnCountsOnly: boolean;
    Resolution: 'minute' | 'hour' | '6h' | 'day';
    CountedSince: string | null;
    Requests: number;
    Milliseconds: number | null;
    UsageFigures: {
      requests: components['schemas']['Requests'];
      units: number;
      refused: number;
      errors: number;
      clientErrors: number;
      p50Ms: components['schemas']['Milliseconds'];
      p95Ms: components['schemas']['Milliseconds'];
      p99Ms: components['schemas']['Milliseconds'];
    };
    UsageTotals: NonNullable<components['schemas']['UsageFigures']>;
    UsagePoint: NonNullable<components['schemas']['UsageFigures']> & { at: components['schemas']['Time'] };
    RecentRefusalFields: {
      requestId: string;
      at: components['schemas']['Time'];
      keyId: string;
      status: number;
      code: string;
      method: string;
      operation: string | null;
      path: string | null;
      cause: string;
    };
    Explanation: {
      requestId: string;
      refusals: {
        requestId: string;
        at: components['schemas']['Time'];
        keyId: string;
        sentences: string[];
        timeline: {
          at: components['schemas']['Time'];
          event: 'window_opened' | 'first_refusal' | 'refused' | 'strikes' | 'ban_started' | 'ban_ends' | 'free';
          text: string;
        }[];
        answer?: string;
        facts: Record<string, unknown>;
      }[];
    };
    AnyId: string;
    Name: string;
    PlanId: string;
    Addresses: string[] | null;
    KeyGrace: {
      until: string;
      since: components['schemas']['Time'];
      lastUsedFrom: string | null;
      callsLastDay?: number | null;
    } | null;
    GraceUntil: 'quiet';
    KeyStatus: 'active' | 'disabled' | 'revoked';
    TextWithSecret: string;
    FilterText: string;
    OperationId: string;
    Time: string;
    TimeOrNull: string | null;
    SentRequest: { headers: Record<string, string>; body: string };
    WebhookStatus: 'enabled' | 'disabled';
    WebhookUrl: string;
    WebhookDescription: string;
    WebhookTypes: string[];
    WebhookPatch: {
      url?: components['schemas']['WebhookUrl'];
      description?: components['schemas']['WebhookDescription'];
      types?: components['schemas']['WebhookTypes'];
      status?: components['schemas']['WebhookStatus'];
    };
    Webhook: NonNullable<components['schemas']['WebhookFields']>;
    WebhookWithSecret: NonNullable<components['schemas']['WebhookFields']> & { secret: string };
    DeliveryStatus: 'pending' | 'delivered' | 'failed';
    Delivery: {
      id: string;
      webhookId: string;
      eventId: string;
      type: string;
      status: components['schemas']['DeliveryStatus'];
      dueAt: components['schemas']['TimeOrNull'];
      createdAt: components['schemas']['Time'];
      endedAt: components['schemas']['TimeOrNull'];
      attempts: components['schemas']['DeliveryAttempt'][];
    };
    DeliveryAttempt: {
      number: number;
      at: components['schemas']['Time'];
      durationMs: number;
      status: number | null;
      error: string | null;
      answer: string | null;
    };
  };
}
