// Written by `npm run client` from src/control-plane/portal/openapi; do not edit.

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
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: {
        content: {
          'application/json': {
            name: components['schemas']['Name'];
            email: string;
            purpose: components['schemas']['Message'];
            plan?: components['schemas']['PlanId'];
          };
        };
      };
      responses: {
        202: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/account': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Account'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    patch: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: { content: { 'application/json': { name: components['schemas']['Name'] } } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Account'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/changes': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['Change'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/front': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Front'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/plans': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['Plan'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/limits': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['CallLimits'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/guides': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['Guide'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/reference': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': Record<string, unknown> } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/reference/index': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': Record<string, unknown> } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/reference/part': {
    get: {
      parameters: {
        query?: {
          operation?: components['schemas']['PartName'];
          event?: components['schemas']['PartName'];
          schema?: components['schemas']['PartName'];
        };
        header?: never;
        path?: never;
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': Record<string, unknown> } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/reference/search': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['SearchIndex'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/event-types': {
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
  '/public/pages': {
    get: {
      parameters: { query?: { text?: 'true' | 'false' }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': { items: { name: string; title: string; description: string | null; text?: string }[] };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/public/pages/{name}': {
    get: {
      parameters: { query?: never; header?: never; path: { name: components['schemas']['FilterText'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['TeamPage'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/usage/history': {
    get: {
      parameters: {
        query?: {
          from?: components['schemas']['Time'];
          to?: components['schemas']['Time'];
          every?: components['schemas']['Resolution'];
          by?: 'key' | 'operation' | 'outcome';
          key?: components['schemas']['FilterText'];
          operation?: components['schemas']['OperationId'];
          outcome?: components['schemas']['FilterText'];
          limit?: number;
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
  };
  '/requests': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': components['schemas']['RecentRefusals'] };
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
  '/keys': {
    get: {
      parameters: {
        query?: { limit?: number; cursor?: string; status?: components['schemas']['KeyStatus'] };
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
              maxKeys: number;
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: {
        content: {
          'application/json': { name: components['schemas']['Name']; expiresAt?: components['schemas']['TimeOrNull'] };
        };
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
  '/keys/{id}': {
    patch: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      requestBody: {
        content: {
          'application/json': { name?: components['schemas']['Name']; addresses?: components['schemas']['Addresses'] };
        };
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Key'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/keys/{id}/rotate': {
    post: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
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
  '/keys/{id}/revoke': {
    post: {
      parameters: {
        query?: { predecessors?: 'true' | 'false' };
        header?: never;
        path: { id: components['schemas']['AnyId'] };
      };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Key'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plan-requests': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
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
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: {
        content: {
          'application/json': { plan: components['schemas']['PlanId']; message?: components['schemas']['Message'] };
        };
      };
      responses: {
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['PlanRequest'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plan-requests/{id}': {
    delete: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/plans': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              current: components['schemas']['Plan'];
              requestable: components['schemas']['Plan'][];
              bans: components['schemas']['BanTerms'] | null;
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/usage': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['QuotaUsage'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/reference': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': Record<string, unknown> } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/reference/index': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': Record<string, unknown> } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/session/preview': {
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: { content: { 'application/json': { token: components['schemas']['LinkToken'] } } };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { name: components['schemas']['Name'] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/session': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Whoami'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: { content: { 'application/json': { token?: components['schemas']['LinkToken']; key?: string } } };
      responses: {
        201: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Whoami'] } };
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
  '/sessions': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: { 'application/json': { items: components['schemas']['Session'][] } };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/sessions/{id}': {
    delete: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      responses: {
        204: { headers: Record<string, string>; content?: never };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/site': {
    get: {
      parameters: { query?: never; header?: never; path?: never };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Site'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
  };
  '/try': {
    post: {
      parameters: { query?: never; header?: never; path?: never };
      requestBody: { content: { 'application/json': components['schemas']['TryRequest'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['TryAnswer'] } };
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
  '/webhooks': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string }; header?: never; path?: never };
      responses: {
        200: {
          headers: Record<string, string>;
          content: {
            'application/json': {
              items: components['schemas']['Webhook'][];
              nextCursor: components['schemas']['NextCursor'];
              maxWebhooks: number;
            };
          };
        };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    post: {
      parameters: { query?: never; header?: never; path?: never };
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
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
      requestBody: { content: { 'application/json': components['schemas']['WebhookPatch'] } };
      responses: {
        200: { headers: Record<string, string>; content: { 'application/json': components['schemas']['Webhook'] } };
        '4XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
        '5XX': { headers: Record<string, string>; content: { 'application/json': components['schemas']['Error'] } };
      };
    };
    delete: {
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
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
      parameters: { query?: never; header?: never; path: { id: components['schemas']['AnyId'] } };
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
    Account: {
      id: string;
      owner: string;
      name: components['schemas']['Name'];
      email: string | null;
      plan: components['schemas']['PlanId'];
      createdAt: components['schemas']['Time'];
      lastSignInAt: components['schemas']['TimeOrNull'];
    };
    Change: {
      operation: string;
      method: string;
      path: string;
      summary: string | null;
      firstAt: components['schemas']['Time'];
      lastAt: components['schemas']['Time'];
      requests: number;
      keys: { id: string; lastAt: components['schemas']['Time']; requests: number }[];
      deprecatedAt: components['schemas']['TimeOrNull'];
      sunsetAt: components['schemas']['TimeOrNull'];
      brownouts: { from: components['schemas']['Time']; to: components['schemas']['Time'] }[];
      successor: string | null;
      link: string | null;
    };
    CallLimits: {
      bans: {
        strikes: number;
        withinSeconds: number;
        graceSeconds: number;
        patienceSeconds: number;
        lengthsSeconds: number[];
        forgiveAfterSeconds: number;
      };
      connections: {
        maxHeaderBytes: number;
        headersSeconds: number;
        requestSeconds: number;
        writeSeconds: number;
        keepAliveSeconds: number;
        maxTunnels: number;
        tunnelIdleSeconds: number;
      };
      services: { maxBodyBytes: number[]; responseSeconds: number[]; idleSeconds: number[] };
      keys: {
        maxPerAccount: number;
        newPerDay: number;
        graceSeconds: number;
        quietSeconds: number;
        maxGraceSeconds: number;
      };
      history: { minutesSeconds: number; hoursSeconds: number; daysSeconds: number };
    };
    Guide: { name: string; title: string; sections: { title: string; markdown: string }[] };
    PartName: string;
    SearchIndex: { operations: string[]; descriptions: string[]; fields: Record<string, number[]> };
    Front: {
      description: string | null;
      services: {
        name: string;
        title: string;
        description: string | null;
        operations: number;
        tags: { name: string; title: string | null; description: string | null; operations: number }[];
      }[];
      firstCall: { path: string; needsKey: boolean };
    };
    TeamPage: { name: string; title: string; markdown: string };
    RecentRefusals: {
      items: components['schemas']['RecentRefusal'][];
      nextCursor: components['schemas']['NextCursor'];
      bans: components['schemas']['PastBan'][];
    };
    RecentRefusal: NonNullable<components['schemas']['RecentRefusalFields']>;
    PastBan: {
      quotaId: string;
      from: components['schemas']['Time'];
      until: components['schemas']['Time'];
      endedAt: components['schemas']['TimeOrNull'];
      manual: boolean;
      reason: string | null;
      message: string | null;
    };
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
    KeyFields: {
      id: string;
      name: components['schemas']['Name'];
      plan: components['schemas']['PlanId'];
      addresses: components['schemas']['Addresses'];
      prefix: string;
      lastFour: string;
      status: components['schemas']['KeyStatus'];
      createdAt: components['schemas']['Time'];
      expiresAt: components['schemas']['TimeOrNull'];
      lastUsedAt: components['schemas']['TimeOrNull'];
      quotaId: string;
      rotatedTo: string | null;
      grace: components['schemas']['KeyGrace'];
      revokedByHolder?: { at: components['schemas']['Time']; reason: string | null };
    };
    Key: NonNullable<components['schemas']['KeyFields']>;
    KeyWithSecret: NonNullable<components['schemas']['KeyFields']> & { key: string };
    Message: string;
    PlanRequest: {
      id: string;
      plan: components['schemas']['PlanId'];
      message: components['schemas']['Message'];
      status: 'open' | 'approved' | 'declined';
      reason: string | null;
      createdAt: components['schemas']['Time'];
      decidedAt: components['schemas']['TimeOrNull'];
    };
    Limits: { minute: number; day: number; month?: number };
    BanTerms: { strikes: number; withinSeconds: number; lengthsSeconds: number[] };
    Plan: {
      id: components['schemas']['PlanId'];
      name: components['schemas']['Name'];
      description: string;
      priceText: string;
      limits: components['schemas']['Limits'] | null;
      operations: string[] | null;
      includes: { selector: string; name: string; operation: string | null; operations: number }[] | null;
    };
    QuotaUsage: {
      quotaId: string;
      plan: components['schemas']['PlanId'];
      planName: components['schemas']['Name'];
      keys: string[];
      windows: components['schemas']['Window'][];
      degraded?: components['schemas']['OwnCountsOnly'];
      ban: components['schemas']['Ban'] | null;
    };
    Ban: {
      from: components['schemas']['Time'];
      until: components['schemas']['Time'];
      level: number;
      manual: boolean;
      reason: string | null;
      message: string | null;
    };
    LinkToken: string;
    Session: {
      id: string;
      method: components['schemas']['SignInMethod'];
      address: string;
      userAgent: string;
      createdAt: components['schemas']['Time'];
      lastSeenAt: components['schemas']['Time'];
      expiresAt: components['schemas']['Time'];
      current: boolean;
    };
    Whoami: {
      account: components['schemas']['Account'] | null;
      key: components['schemas']['Key'] | null;
      session: components['schemas']['Session'];
    };
    Site: {
      title: string;
      logo: string | null;
      accent: string | null;
      signIn: components['schemas']['SignInMethod'][];
      signUp: 'invite' | 'request' | 'open';
      apiUrl: string;
      public: boolean;
      contact: string | null;
    };
    SignInMethod: 'oidc' | 'link' | 'key';
    BodyEncoding: 'utf8' | 'base64';
    TryRequest: {
      keyId: string;
      method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
      path: string;
      headers?: Record<string, string>;
      body?: string | null;
      bodyEncoding?: components['schemas']['BodyEncoding'];
    };
    TryAnswer: {
      status: number;
      headers: Record<string, string>;
      body: string;
      bodyEncoding: components['schemas']['BodyEncoding'];
      truncated: boolean;
      durationMs: number;
      requestId: string | null;
    };
    NewWebhook: {
      url: components['schemas']['WebhookUrl'];
      description?: components['schemas']['WebhookDescription'];
      types: components['schemas']['WebhookTypes'];
    };
    WebhookFields: {
      id: string;
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
    EventType: {
      name: string;
      summary: string;
      audience: 'owner' | 'plan' | 'everyone';
      schema: Record<string, unknown> | null;
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
