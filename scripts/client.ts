/**
 * `npm run client` writes the types of the clients of the console and the portal from the documents of their APIs;
 * `npm run client:check` ends with 1 if they are not what the documents say.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { DOCUMENT_FILE as ADMIN } from '../src/control-plane/admin/resources/document.ts';
import { readParts } from '../src/control-plane/api/document.ts';
import { DOCUMENT_FILE as PORTAL } from '../src/control-plane/portal/document.ts';
import { clientTypes, type OpenApiDocument } from './web/client-types.ts';

const root = join(import.meta.dirname, '..');
const CLIENTS = [
  { document: ADMIN, target: 'web/console/api/transport/schema.ts' },
  { document: PORTAL, target: 'web/portal/api/transport/schema.ts' },
];

for (const { document, target } of CLIENTS) {
  const file = join(root, target);
  const source = relative(root, dirname(document));
  const types = clientTypes(readParts(document).value as object as OpenApiDocument);
  const head = `// Written by \`npm run client\` from ${source}; do not edit.`;
  const next = await format(`${head}\n\n${types}`, { ...(await resolveConfig(file)), filepath: file });
  const current = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (next === current) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${target} is not what ${source} says: run npm run client\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, next);
  }
}
