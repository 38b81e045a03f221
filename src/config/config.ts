import type { z } from 'zod';
import type { Plan } from '../domain/plan.ts';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { DatabaseLocation } from '../storage/database.ts';
import type { TraceConfig } from '../telemetry/traces/tracing.ts';
import type { fixedSettings, liveSettings } from './config-schema.ts';
import type { LoadedFile } from './loaded-files.ts';
import type { Setting } from './settings-in-force.ts';
import type { StoreLocation } from './storage-locations.ts';
import type { TeamPage } from './team-pages.ts';

/** All settings of the gateway, validated. Paths are absolute, times are in ms, and sizes are in bytes. */
export interface Config {
  readonly fixed: FixedConfig;
  readonly live: LiveConfig;
}

/**
 * Settings that stay the same until the next start, because the storage, the listeners and the background work are
 * opened with them.
 */
export interface FixedConfig extends Omit<z.output<typeof fixedSettings>, 'database' | 'store'> {
  readonly file: string;
  readonly host: string;
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  readonly portalHost: string;
  readonly portalPort: number;
  readonly dataDir: string;
  readonly database: DatabaseLocation;
  readonly store: StoreLocation;
  /** Null if traces are off. */
  readonly traces: TraceConfig | null;
  /** The files of variables, and the logo, as they were at the start. */
  readonly files: readonly LoadedFile[];
  /**
   * The settings of this part as the user wrote them, with their sources. Some values are secret: see `redactSetting`.
   */
  readonly settings: readonly Setting[];
}

type LiveSettings = z.output<typeof liveSettings>;

/** Settings that a reload replaces, all at once. */
export interface LiveConfig extends Omit<LiveSettings, 'plans' | 'upstreams' | 'portal'> {
  readonly adminToken: string | null;
  readonly plans: readonly Plan[];
  /**
   * The portal's settings, where `pages` is the content of the folder instead of its path. The list is empty if the
   * portal is off.
   */
  readonly portal: Omit<LiveSettings['portal'], 'pages'> & { readonly pages: readonly TeamPage[] };
  readonly upstreams: readonly UpstreamConfig[];
  /** Problems that do not prevent operation. They are logged at start and after a reload. */
  readonly warnings: readonly string[];
  /** The files of variables that a reload reads again. */
  readonly files: readonly LoadedFile[];
  /** The settings of this part, as in `Fixed`. */
  readonly settings: readonly Setting[];
}
