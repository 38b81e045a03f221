/** If a vendor's published document is refused, it can be served with the overlay that the refusal prints. */
import { expect } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { loadConfig } from '../../src/config/load.ts';
import { corpus, testWithCorpus } from '../support/corpus.ts';
import { createPlans, startReloadingGateway } from '../support/gateway/reloading-gateway.ts';
import { serveHttp } from '../support/services/http-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DOCUMENTS = [
  'openai/openapi.yaml',
  'box/openapi.json',
  'xeroapi/xero_accounting.yaml',
  'elastic/serverless.json',
];

for (const document of DOCUMENTS) {
  testWithCorpus(
    `${document} is served with the overlay of its refusal`,
    async () => {
      const folder = tempFolder();
      const service = await serveHttp((_req, res) => res.end('served'));
      const upstream = { name: 'vendor', openapi: join(corpus, 'documents', document), targets: [service.url] };
      writeFileSync(join(folder.path, 'plans.yaml'), stringify(createPlans({ minute: 10, day: 100 })));
      writeFileSync(join(folder.path, 'gateway.yaml'), stringify({ plans: 'plans.yaml', upstreams: [upstream] }));
      let message = '';
      try {
        loadConfig({ TOLLGATE_CONFIG: 'gateway.yaml' }, folder.path);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        ({ message } = error);
      }
      expect(message.match(/^overlay: /gm)).toHaveLength(1);
      const printed = message.slice(message.search(/^overlay: /m));
      const gateway = await startReloadingGateway((write) => {
        write('plans.yaml', createPlans({ minute: 10, day: 100 }));
        const overlays = [write('printed.yaml', printed)];
        return { settings: { plans: 'plans.yaml', upstreams: [{ ...upstream, overlays }] } };
      });
      const { body } = await gateway.ask('GET', '/v1/operations');
      const get = body.items.find(
        ({ method, path }: Record<string, string>) => method === 'GET' && !path?.includes('{'),
      );
      expect(await (await gateway.call(get.path)).text()).toBe('served');
      await gateway.stop();
      await service.close();
      folder.remove();
    },
    60_000,
  );
}
