import { type ApiServer, type ApiServerSettings, createApiServer, type ListenerSettings } from '../http-api/server.ts';
import { type AdminSettings, createAdmin } from './app.ts';

export function createAdminServer(
  settings: Omit<AdminSettings, keyof ListenerSettings> & ApiServerSettings,
): ApiServer {
  return createApiServer((listener) => createAdmin({ ...settings, ...listener }), settings);
}
