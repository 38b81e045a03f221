import { type ApiServer, createApiServer, type ListenerSettings } from '../http-api/server.ts';
import { createPortal, type PortalSettings } from './app.ts';

export function createPortalServer(settings: Omit<PortalSettings, keyof ListenerSettings>): ApiServer {
  return createApiServer((listener) => createPortal({ ...settings, ...listener }), settings);
}
