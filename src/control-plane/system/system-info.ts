import type { ComponentReport } from './component-watch.ts';
import type { GatewayIdentity, SeenGateway } from './heartbeat.ts';

/** A setting in force, without secrets. */
export interface EffectiveSetting {
  /**
   * The dotted path of the setting. Entries of a list are identified by their names: `upstreams.petstore.maxBody`. For
   * an environment variable, its name.
   */
  readonly name: string;
  /** The value; null if it is not set. For a secret, `set` or `not set`. */
  readonly value: unknown;
  readonly source: 'file' | 'environment' | 'default';
  /** `file:line`, or the environment variable (possibly the one that names a file); null for a default. */
  readonly from: string | null;
  readonly secret: boolean;
}

/** The state of a gateway and of its installation. */
export interface System {
  readonly gateway: GatewayIdentity;
  /** ms since the Unix epoch. */
  readonly startedAt: number;
  readonly components: () => readonly ComponentReport[];
  readonly historyLag: () => { readonly lagMs: number; readonly pendingRows: number };
  /** The configuration file. */
  readonly file: string;
  /** The current configuration. */
  readonly settings: () => readonly EffectiveSetting[];
  /** The gateways that use the same database. @throws StoreUnavailable (as a rejection) */
  gateways(): Promise<readonly SeenGateway[]>;
}
