import type { Awaitable } from '../../../base/awaitable.ts';
import type { Scrape } from '../../../telemetry/metrics/metrics.ts';
import { Refused } from '../../api-server/refused.ts';
import { respond, type Handler } from '../../api-server/send-response.ts';

/** `degraded`: the shared store is unreachable, and requests are served without it. */
export type Health = 'starting' | 'ready' | 'degraded' | 'draining';

export interface ProbeDependencies {
  readonly health: () => Health;
  readonly metrics?: (() => Promise<Scrape>) | undefined;
}

type Probe = () => Awaitable<{ contentType: string; body: string }>;

/**
 * Serves probes and metrics. These paths need no token, because the machines that call them have none. They are matched
 * exactly: any other spelling of a path needs a token.
 */
export function createProbes({ health, metrics }: ProbeDependencies): Handler {
  const probes: Readonly<Record<string, Probe | undefined>> = {
    '/livez': () => toProbeResponse({ status: 'alive' }),
    '/readyz': () => toProbeResponse({ status: checkReady(health()) }),
    '/metrics': metrics,
  };
  return async function answerProbe(req, res, next) {
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined;
    if (probe === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.locals.isRoutine = true;
    const { contentType, body } = await probe();
    respond(res, 200, { 'Content-Type': contentType }, body);
  };
}

function toProbeResponse(value: object): { contentType: string; body: string } {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}

/**
 * Returns the health of a gateway that is ready, or throws. A degraded gateway counts as ready: the shared store fails for
 * all gateways at once, so a load balancer would otherwise remove all of them.
 */
function checkReady(health: Health): Health {
  if (health === 'draining') throw new Refused('shutting_down');
  if (health === 'starting') throw new Refused('starting');
  return health;
}
