/** Comparing requests with the document changes nothing for those that fit it. */
import { afterAll, beforeAll } from '@jest/globals';
import { join } from 'node:path';
import { upstreamContract } from '../contract/upstream.contract.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../support/gateway/gateway-with-upstreams.ts';
import { root } from '../support/gateway/gateway.ts';
import { createService } from '../support/services/contract-service.ts';
import { serveHttp, type HttpService } from '../support/services/http-service.ts';

const validation = 'enforce';
let service: HttpService;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
});
afterAll(() => service.close());

upstreamContract('in process, with requests checked', () => {
  const module = join(root, 'test/support/services/contract-service.ts');
  return startGatewayWithUpstreams([{ name: 'contract', openapi: contractDocument, module, validation }]);
});
upstreamContract('HTTP, with requests checked', () =>
  startGatewayWithUpstreams([{ ...contractTarget(service.url), validation }]),
);
