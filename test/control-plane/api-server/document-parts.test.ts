import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadDocument, readParts } from '../../../src/control-plane/api-server/api-document.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const temporary = tempFolder();
afterAll(() => temporary.remove());

/**
 * Writes the files of a document.
 *
 * @returns the path of the main file, which is the first
 */
function folderWith(name: string, files: Record<string, string>): string {
  const folder = join(temporary.path, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return join(folder, Object.keys(files)[0]!);
}

const PETS = `paths:
  /pets: { get: {} }
components:
  schemas:
    Pet: { type: object }
`;

test('the parts of an API document are merged with those shared by both APIs, and each location names its file', () => {
  const file = folderWith('whole', { 'toys.openapi.yaml': 'openapi: 3.1.0\npaths:\n  /toys: {}\n', 'pets.yaml': PETS });
  const { path, value, locate } = readParts(file);
  expect(path).toBe(file);
  expect(value).toMatchObject({
    openapi: '3.1.0',
    paths: { '/toys': {}, '/pets': { get: {} } },
    components: { schemas: { Pet: { type: 'object' }, Time: { format: 'date-time' } } },
  });
  expect(locate(['openapi'])).toBe(`${file}:1`);
  expect(locate(['paths', '/pets', 'get'])).toMatch(/pets\.yaml:2$/);
  expect(locate(['components', 'schemas', 'Pet'])).toMatch(/pets\.yaml:5$/);
  expect(locate(['paths', '/none'])).toBe(file);
});

test('a definition in two parts of an API document is rejected, and the error names both files', () => {
  const file = folderWith('twice', { 'toys.openapi.yaml': `openapi: 3.1.0\n${PETS}`, 'pets.yaml': PETS });
  expect(() => readParts(file)).toThrow(`pets.yaml:2: paths /pets is also defined in ${file}: remove one`);
  expect(() => readParts(file)).toThrow(`pets.yaml:5: components schemas Pet is also defined in ${file}: remove one`);
});

test('a part of an API document that is not YAML is rejected', () => {
  const file = folderWith('broken', { 'toys.openapi.yaml': 'openapi: 3.1.0\n', 'pets.yaml': 'paths: [' });
  expect(() => readParts(file)).toThrow(/pets\.yaml:1: is not valid YAML/);
});

test('other work continues while an API document is read and its operations are prepared', async () => {
  const operation = (id: string) => `{ operationId: ${id}, responses: { '200': { description: Fine } } }`;
  const names = Array.from({ length: 2000 }, (_, index) => `toy${index}`);
  const file = folderWith('large', {
    'toys.openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Toys, version: "1" }\n',
    'toys.yaml': `paths:\n${names.map((name) => `  /v1/${name}: { get: ${operation(name)} }\n`).join('')}`,
  });
  let turns = 0;
  const turn = setInterval(() => turns++);
  const loaded = await loadDocument(file, '/v1', Object.fromEntries(names.map((name) => [name, () => {}])));
  clearInterval(turn);
  expect(loaded.routes).toHaveLength(names.length);
  expect(turns).toBeGreaterThan(2);
});
