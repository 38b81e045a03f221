/**
 * `npm run client` writes the types of the console's client from the admin API's document; `npm run client:check` ends
 * with 1 if they are not what the document says.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { clientTypes, type OpenApiDocument } from './web/client-types.ts';

const root = join(import.meta.dirname, '..');
const SOURCE = 'src/admin/admin.openapi.yaml';
const target = join(root, 'web/console/api/transport/schema.ts');

const document = parse(readFileSync(join(root, SOURCE), 'utf8')) as OpenApiDocument;
const head = `// Written by \`npm run client\` from ${SOURCE}; do not edit.`;
const next = await format(`${head}\n\n${clientTypes(document)}`, {
  ...(await resolveConfig(target)),
  filepath: target,
});
const current = existsSync(target) ? readFileSync(target, 'utf8') : null;
if (next !== current && process.argv.includes('--check')) {
  process.stderr.write(`${relative(root, target)} is not what ${SOURCE} says: run npm run client\n`);
  process.exitCode = 1;
} else if (next !== current) {
  writeFileSync(target, next);
}
