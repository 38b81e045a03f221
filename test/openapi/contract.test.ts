import { afterAll, beforeAll } from '@jest/globals';
import { join } from 'node:path';
import { upstreamContract } from '../contract/upstream.contract.ts';
import { createService } from '../support/services/contract-service.ts';
import { root } from '../support/gateway/gateway.ts';
import { serveHttp, type HttpService } from '../support/services/http-service.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../support/gateway/gateway-with-upstreams.ts';

let service: HttpService;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
});
afterAll(() => service.close());

upstreamContract('in process', () =>
  startGatewayWithUpstreams([
    { name: 'contract', openapi: contractDocument, module: join(root, 'test/support/services/contract-service.ts') },
  ]),
);
upstreamContract('HTTP', () => startGatewayWithUpstreams([contractTarget(service.url)]));
