import type { ShownSetting } from '../../config/settings-in-force.ts';
import type { ComponentReport } from './component-watch.ts';
import type { GatewayIdentity, SeenGateway } from './heartbeat.ts';

/** What a gateway knows of itself and of its installation. */
export interface System {
  readonly gateway: GatewayIdentity;
  /** ms since the Unix epoch. */
  readonly startedAt: number;
  readonly components: () => readonly ComponentReport[];
  readonly historyLag: () => { readonly lagMs: number; readonly pendingRows: number };
  /** The configuration file. */
  readonly file: string;
  /** The configuration as it is in force. */
  readonly settings: () => readonly ShownSetting[];
  /** The gateways that use the same database. @throws StoreUnavailable (as a rejection) */
  gateways(): Promise<readonly SeenGateway[]>;
}
