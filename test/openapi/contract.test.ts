import { afterAll, beforeAll } from '@jest/globals';
import { join } from 'node:path';
import { upstreamContract } from '../contract/upstream.contract.ts';
import { createService } from '../support/services/contract-service.ts';
import { root } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { serveHttp, type HttpService } from '../support/services/http-service.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../support/gateway/gateway-with-upstreams.ts';

const folder = tempFolder();
const socket = join(folder.path, 'app.sock');
let service: HttpService;
let socketService: HttpService;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
  socketService = await serveHttp(createService().handler, socket);
});
afterAll(async () => {
  await service.close();
  await socketService.close();
  folder.remove();
});

upstreamContract('in process', () =>
  startGatewayWithUpstreams([
    { name: 'contract', openapi: contractDocument, module: join(root, 'test/support/services/contract-service.ts') },
  ]),
);
upstreamContract('over HTTP', () => startGatewayWithUpstreams([contractTarget(service.url)]));
upstreamContract('over a Unix socket', () => startGatewayWithUpstreams([contractTarget(socketService.url)]));
