import { type ApiServer, type ApiServerSettings, createApiServer, type ListenerSettings } from '../http-api/server.ts';
import { createPortal, type PortalSettings } from './app.ts';

export function createPortalServer(
  settings: Omit<PortalSettings, keyof ListenerSettings> & ApiServerSettings,
): ApiServer {
  return createApiServer((listener) => createPortal({ ...settings, ...listener }), settings);
}
