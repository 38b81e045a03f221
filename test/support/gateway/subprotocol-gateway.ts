import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { serveHttp } from '../services/http-service.ts';
import { createService } from '../services/subprotocol-service.ts';
import { temporaryDirectory } from '../temporary.ts';
import { root, type TestGateway } from './gateway.ts';
import { startGatewayWithUpstreams } from './gateway-with-upstreams.ts';

export interface SubprotocolGateway extends TestGateway {
  /** The path prefixes of the service. It runs twice: over HTTP, and as a module. */
  readonly prefixes: readonly string[];
}

/** Starts a gateway in front of `subprotocol-service.ts`. */
export async function startSubprotocolGateway(settings: Record<string, unknown> = {}): Promise<SubprotocolGateway> {
  const openapi = join(temporaryDirectory(), 'api.yaml');
  const responses = { 201: { description: 'Made' } };
  const operation = (operationId: string) => ({ get: { operationId, responses } });
  const paths = {
    '/chat': operation('chat'),
    '/plain': operation('plain'),
    '/plain/declined': operation('declined'),
    '/plain/forged': operation('forged'),
    '/plain/public': { get: { ...operation('public').get, security: [] } },
  };
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'API', version: '1' }, paths }));
  const { handler, upgrade } = createService();
  const service = await serveHttp(handler);
  service.server.on('upgrade', upgrade);
  const module = join(root, 'test/support/services/subprotocol-service.ts');
  const gateway = await startGatewayWithUpstreams(
    [
      { name: 'http', openapi, targets: [service.url], prefix: '/http', idPrefix: 'http.' },
      { name: 'module', openapi, module, prefix: '/module', idPrefix: 'module.' },
    ],
    settings,
  );
  return {
    ...gateway,
    prefixes: ['/http', '/module'],
    async stop() {
      await gateway.stop();
      await service.close();
    },
  };
}
