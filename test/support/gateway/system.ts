import type { Database } from '../../../src/storage/database.ts';
import { listGateways } from '../../../src/control-plane/system/heartbeat.ts';
import type { System } from '../../../src/control-plane/system/system-info.ts';

/** Creates the status of a gateway that started an hour ago and cannot reach Redis. */
export function degradedSystem(database: Database, now: number): System {
  const startedAt = now - 3_600_000;
  return {
    gateway: { id: 'this-gateway', host: 'a-machine', version: '1.2.3' },
    startedAt,
    components: () => [
      { name: 'counters', kind: 'redis', state: 'degraded', since: now - 60_000, cause: 'Redis cannot be reached' },
      { name: 'records', kind: 'postgres', state: 'ready', since: startedAt, cause: null },
      { name: 'upstream pets', kind: 'http', state: 'away', since: now - 60_000, cause: 'no target responds' },
    ],
    historyLag: () => ({ lagMs: 1500, pendingRows: 7 }),
    file: '/etc/tollgate/gateway.yaml',
    settings: () => [
      { name: 'TOLLGATE_ADMIN_TOKEN', value: 'set', secret: true, source: 'environment', from: 'TOLLGATE_ADMIN_TOKEN' },
      { name: 'demo', value: false, secret: false, source: 'default', from: null },
      { name: 'plans', value: 'plans.yaml', secret: false, source: 'file', from: '/etc/tollgate/gateway.yaml:3' },
    ],
    gateways: () => listGateways(database),
  };
}
