import type { Logger } from 'pino';
import type { AdmissionStore, Clock } from '../admission/store.ts';
import type { Directory } from '../registry/directory.ts';
import type { Route } from '../upstreams/upstream.ts';
import { createAccessLog } from './access-log.ts';
import { createAdmit, type OnBanStarted } from './admit.ts';
import { createAuthenticate } from './authenticate.ts';
import type { ClientAddress } from './client-address.ts';
import { createEdge } from './edge.ts';
import { createErrors } from './errors.ts';
import type { Exchange, Step } from './exchange.ts';
import { createForward } from './forward.ts';
import type { Guard } from './guard.ts';
import { createLifecycle } from './lifecycle.ts';
import { createMatch } from './match.ts';
import { createOwnEndpoints } from './own-endpoints.ts';
import { createPushUsage } from './rate-limit-headers.ts';
import { createRequestId } from './request-id.ts';
import { createRunner } from './run.ts';
import { createUnmatched } from './unmatched.ts';

export interface PipelineSettings {
  readonly routes: readonly Route[];
  readonly publicDocument: object;
  readonly directory: Directory;
  readonly store: AdmissionStore;
  readonly guard: Guard;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxBody: number;
  readonly ietfHeaders: boolean;
  readonly afterSunset: 'serve' | 'gone';
  readonly onBanStarted: OnBanStarted;
}

export interface Pipeline {
  readonly run: (exchange: Exchange) => void;
  /** The names of the steps, in their order. */
  readonly order: readonly string[];
}

/** The request path: what happens to every request, in this order. */
export function createPipeline(settings: PipelineSettings): Pipeline {
  const { routes, directory, store, guard, clientAddress, clock, logger } = settings;
  const pushUsage = createPushUsage(settings.ietfHeaders);
  const steps: Step[] = [
    // Before all that can answer, so that every answer has its line.
    createAccessLog(logger),
    // Before all that can refuse, so that a refusal can be traced.
    createRequestId(),
    // Before anything reads the path: what could be read in two ways goes no further.
    createEdge(),
    createMatch(routes),
    // Before authentication, so that a 401 tells of a sunset too.
    createLifecycle({ routes, afterSunset: settings.afterSunset, clock, logger }),
    createAuthenticate({ directory, guard, clientAddress, clock }),
    // Before admission: who is out of quota, or banned, may ask until when.
    createOwnEndpoints({ store, pushUsage, publicDocument: settings.publicDocument }),
    createAdmit(store, pushUsage, settings.onBanStarted),
    // After admission: a request that matches nothing is counted like any other.
    createUnmatched(settings.maxBody),
    createForward(clientAddress),
  ];
  const errors = createErrors({ guard, store, clientAddress, pushUsage, logger });
  return { run: createRunner(steps, errors), order: [...steps.map((step) => step.name), 'errors'] };
}
