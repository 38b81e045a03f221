/** `node scripts/sbom.ts FILE` writes what a release contains, as CycloneDX. The pages must have been built. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSbom } from './release/sbom.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node scripts/sbom.ts FILE');
writeFileSync(file, `${JSON.stringify(createSbom(join(import.meta.dirname, '..')), null, 2)}\n`);
