/**
 * The handler of an API operation can be found by name: it is in the file named like the operation's part of the
 * document.
 */
import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../support/gateway/gateway.ts';

const controlPlane = join(root, 'src/control-plane');

test.each(['admin', 'portal'])(
  'each operation of the %s API has its handler in the file named like its part of the document',
  (api) => {
    const parts = globSync(`${api}/openapi/*.yaml`, { cwd: controlPlane });
    expect(parts.length).toBeGreaterThan(10);
    for (const part of parts) {
      const resource = basename(part, '.yaml');
      // The operation that returns the document has no resource file.
      if (resource === `${api}.openapi`) continue;
      const files = globSync(`${api}/resources/${resource}{,-*}.ts`, { cwd: controlPlane });
      const code = files.map((file) => readFileSync(join(controlPlane, file), 'utf8')).join('\n');
      const document = readFileSync(join(controlPlane, part), 'utf8');
      const operations = [...document.matchAll(/operationId: (\w+)/g)].map(([, id = '']) => id);
      const missing = operations.filter((id) => !new RegExp(`^ {4}(?:async )?${id}[(:]`, 'm').test(code));
      expect([part, missing]).toEqual([part, []]);
    }
  },
);
