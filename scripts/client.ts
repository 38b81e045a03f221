/**
 * `npm run client` writes the types of the clients of the console and the portal from the documents of their APIs;
 * `npm run client:check` ends with 1 if they are not what the documents say.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { clientTypes, type OpenApiDocument } from './web/client-types.ts';

const root = join(import.meta.dirname, '..');
const CLIENTS = [
  { source: 'src/admin/admin.openapi.yaml', target: 'web/console/api/transport/schema.ts' },
  { source: 'src/portal/portal.openapi.yaml', target: 'web/portal/api/transport/schema.ts' },
];

for (const { source, target } of CLIENTS) {
  const file = join(root, target);
  const document = parse(readFileSync(join(root, source), 'utf8')) as OpenApiDocument;
  const head = `// Written by \`npm run client\` from ${source}; do not edit.`;
  const next = await format(`${head}\n\n${clientTypes(document)}`, { ...(await resolveConfig(file)), filepath: file });
  const current = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (next === current) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${target} is not what ${source} says: run npm run client\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, next);
  }
}
