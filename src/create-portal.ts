import type { RequestListener } from 'node:http';
import type { Config } from './config/load.ts';
import { at } from './control-plane/api/at.ts';
import type { ApiServer, ListenerSettings } from './control-plane/api/server.ts';
import type { OpenPortal } from './control-plane/portal/open-portal.ts';
import type { Storage } from './open/open-storage.ts';
import { createPortal as createApp, type PortalSettings } from './control-plane/portal/app.ts';
import { PAGES_PATH } from './control-plane/portal/paths.ts';
import { createMakeCall, type MakeCallSettings } from './control-plane/portal/try/call.ts';
import { urlOf } from './http/http-server.ts';
import type { StartContext } from './start-context.ts';

/** What the portal shows of the request path, and how it gets there. */
type Called = Pick<MakeCallSettings, 'server' | 'vouchedKeys'> &
  ListenerSettings &
  Pick<PortalSettings, 'clientAddress' | 'publicDocument' | 'served' | 'webhooks'>;

/** Builds the portal, as one configuration has it. */
export function createPortal(
  { config, logger, clock, metrics }: StartContext,
  { accounts, registry, counters, history }: Storage,
  portal: OpenPortal,
  { server, vouchedKeys, ...shown }: Called,
): RequestListener {
  const { signUp: policy, plan, requestablePlans, maxKeys } = config.portal;
  const apiUrl = () => config.portal.apiUrl ?? urlOf(server);
  return createApp({
    ...shown,
    ...portal,
    accounts,
    registry,
    store: metrics.admission.observed(counters.store),
    history: history.store,
    historyKeep: config.history.keep,
    makeCall: createMakeCall({ server, vouchedKeys, apiUrl }),
    apiUrl,
    signUp: { policy, plan },
    requestablePlans,
    maxKeys,
    logger,
    clock,
  });
}

/** Where people open the portal; null if there is none, or it does not listen yet. */
export function portalPagesUrl(portalServer: ApiServer | null, { url }: Config['portal']): string | null {
  if (portalServer === null) return null;
  if (url !== undefined) return at(new URL(url), PAGES_PATH);
  return portalServer.server.listening ? at(new URL(urlOf(portalServer.server)), PAGES_PATH) : null;
}
