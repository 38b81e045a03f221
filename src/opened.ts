import type { Health } from './control-plane/admin/probes.ts';
import type { ReloadConfiguration } from './control-plane/admin/resources/configuration.ts';
import type { Tracing } from './telemetry/traces/tracing.ts';
import type { Certificates } from './open/open-certificates.ts';
import type { OpenConsole } from './control-plane/admin/open-console.ts';
import type { OpenPortal } from './control-plane/portal/open-portal.ts';
import type { Storage } from './open/open-storage.ts';
import type { System } from './control-plane/system/system.ts';
import type { Webhooks } from './control-plane/webhooks/webhooks.ts';

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
