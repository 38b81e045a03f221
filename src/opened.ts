import type { Health } from './admin/probes.ts';
import type { ReloadConfiguration } from './admin/resources/configuration.ts';
import type { Tracing } from './observability/traces/tracing.ts';
import type { Certificates } from './open/open-certificates.ts';
import type { OpenConsole } from './open/open-console.ts';
import type { OpenPortal } from './open/open-portal.ts';
import type { Storage } from './open/open-storage.ts';
import type { System } from './system/system.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** What was opened for the servers. */
export interface Opened {
  readonly storage: Storage;
  readonly console: OpenConsole;
  /** Null if it is not enabled. */
  readonly portal: OpenPortal | null;
  readonly system: System;
  readonly certificates: Certificates;
  readonly webhooks: Webhooks;
  /** Null where they are off. */
  readonly traces: Tracing | null;
  readonly health: () => Health;
  readonly reload: ReloadConfiguration;
}
