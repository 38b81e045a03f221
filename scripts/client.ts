/**
 * `npm run client` writes the types of both sides of the admin API and the portal's API from their documents: for the
 * pages that call them, and for their handlers. `npm run client:check` exits with 1 if they are out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { DOCUMENT_FILE as ADMIN } from '../src/control-plane/admin/resources/admin-document.ts';
import { readParts } from '../src/control-plane/api-server/api-document.ts';
import { DOCUMENT_FILE as PORTAL } from '../src/control-plane/portal/portal-document.ts';
import { clientTypes, type OpenApiDocument, serverTypes } from './web/client-types.ts';

const root = join(import.meta.dirname, '..');
const TARGETS = [
  { document: ADMIN, target: 'web/console/api/transport/schema.ts', typesOf: clientTypes },
  { document: PORTAL, target: 'web/portal/api/transport/schema.ts', typesOf: clientTypes },
  { document: ADMIN, target: 'src/control-plane/admin/openapi/admin-types.ts', typesOf: serverTypes },
  { document: PORTAL, target: 'src/control-plane/portal/openapi/portal-types.ts', typesOf: serverTypes },
];

for (const { document, target, typesOf } of TARGETS) {
  const file = join(root, target);
  const source = relative(root, dirname(document));
  const types = typesOf(readParts(document).value as object as OpenApiDocument);
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
