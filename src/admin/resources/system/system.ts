import { toDateTime } from '../../../base/date-time.ts';
import type { ComponentReport } from '../../../system/component-watch.ts';
import type { SeenGateway } from '../../../system/gateway-rows.ts';
import type { System } from '../../../system/system.ts';
import { pageOfAll } from '../../http/paging.ts';
import type { AdminOperations, Call, PageQuery } from '../../operation.ts';
import type { Health } from '../../probes.ts';

export interface SystemSettings {
  readonly system: System;
  readonly health: () => Health;
  readonly listensAt: () => URL;
  readonly publicListensAt: () => string;
}

export function systemOperations({ system, health, ...listeners }: SystemSettings): AdminOperations {
  return {
    getSystem() {
      const { gateway, startedAt, historyLag, components } = system;
      const { id, host, version } = gateway;
      const body = {
        version,
        nodeVersion: process.versions.node,
        gateway: { id, host, startedAt: toDateTime(startedAt) },
        health: health(),
        listeners: { public: listeners.publicListensAt(), admin: listeners.listensAt().origin },
        components: components().map(componentJson),
        history: historyLag(),
      };
      return { status: 200, body };
    },

    getConfiguration: () => ({ status: 200, body: { file: system.file, settings: system.settings } }),

    async listGateways({ query }: Call<undefined, PageQuery>) {
      const { items, nextCursor } = pageOfAll('gateways', await system.gateways(), sortKeyOf, query);
      return { status: 200, body: { items: items.map((each) => gatewayJson(each, system.gateway.id)), nextCursor } };
    },
  };
}

function componentJson({ name, kind, state, since, cause }: ComponentReport) {
  return { name, kind, state, since: toDateTime(since), cause };
}

function gatewayJson({ id, host, version, state, startedAt, lastSeenAt }: SeenGateway, own: string) {
  const times = { startedAt: toDateTime(startedAt), lastSeenAt: toDateTime(lastSeenAt) };
  return { id, host, version, state, ...times, current: id === own };
}

/** The latest start first. */
function sortKeyOf({ startedAt, id }: SeenGateway): string {
  return `${String(Number.MAX_SAFE_INTEGER - startedAt).padStart(16, '0')} ${id}`;
}
