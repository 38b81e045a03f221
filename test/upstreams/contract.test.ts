import { afterAll, beforeAll } from '@jest/globals';
import { join } from 'node:path';
import { upstreamContract } from '../contract/upstream.contract.ts';
import { createService } from '../support/contract-service.ts';
import { root } from '../support/gateway.ts';
import { serveHttp, type HttpService } from '../support/http-service.ts';
import { contractDocument, contractTarget, startPlugged } from '../support/plugged.ts';

let service: HttpService;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
});
afterAll(() => service.close());

upstreamContract('in process', () =>
  startPlugged([
    { name: 'contract', openapi: contractDocument, module: join(root, 'test/support/contract-service.ts') },
  ]),
);
upstreamContract('HTTP', () => startPlugged([contractTarget(service.url)]));
