/**
 * `npm run generate` writes the types of the admin API and of the portal's API from their documents, for the pages that
 * call them and for their handlers. Only types are imported from these files, so programs run without them. Without
 * development packages (`npm ci --omit=dev`), nothing reads these files, and none are written.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DOCUMENT_FILE as ADMIN } from '../src/control-plane/admin/resources/admin-document.ts';
import { readParts } from '../src/control-plane/api-server/api-document.ts';
import { DOCUMENT_FILE as PORTAL } from '../src/control-plane/portal/portal-document.ts';
import { writeClientTypes, type OpenApiDocument, writeServerTypes } from './web/client-types.ts';

const ROOT = join(import.meta.dirname, '..');
const TARGETS = [
  { document: ADMIN, target: 'web/console/api/transport/schema.ts', typesOf: writeClientTypes },
  { document: PORTAL, target: 'web/portal/api/transport/schema.ts', typesOf: writeClientTypes },
  { document: ADMIN, target: 'src/control-plane/admin/openapi/admin-types.ts', typesOf: writeServerTypes },
  { document: PORTAL, target: 'src/control-plane/portal/openapi/portal-types.ts', typesOf: writeServerTypes },
];

if (existsSync(join(ROOT, 'node_modules/typescript'))) {
  for (const { document, target, typesOf } of TARGETS) {
    const file = join(ROOT, target);
    const types = typesOf(readParts(document).value as object as OpenApiDocument);
    const head = `// Written by \`npm run generate\` from ${relative(ROOT, dirname(document))}; do not edit.`;
    const next = `${head}\n\n${types}`;
    // Do not write an unchanged file, because an editor or a watching build would then read it again.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== next) writeFileSync(file, next);
  }
}
