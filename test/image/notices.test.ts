import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/gateway/gateway.ts';
import { runProgram } from '../support/gateway/process.ts';

/** Reads a file of the image that `npm run test:image` built just before. */
async function read(file: string): Promise<string> {
  const env = { DOCKER_HOST: process.env['DOCKER_HOST'] };
  const cat = runProgram('docker', ['run', '--rm', '--entrypoint', 'cat', 'tollgate-test', file], env);
  expect([await cat.ended(), file]).toEqual([0, file]);
  return cat.output();
}

test('the notices of the image name exactly its packages', async () => {
  const { packages } = JSON.parse(await read('node_modules/.package-lock.json')) as {
    packages: Record<string, { version: string }>;
  };
  const installed = Object.entries(packages).map(
    ([path, { version }]) => `${path.replace(/.*node_modules\//, '')} ${version}`,
  );
  const listed = (await read('THIRD-PARTY-NOTICES.txt')).matchAll(/^  (\S+ \S+) \(.+\)$/gm).map(([, one]) => one);
  expect(new Set(listed)).toEqual(new Set(installed));
});

// `npm ci` has built the pages of this checkout with the same packages, so compare with these.
test.each(['console', 'portal'])('the %s has its licenses', async (site) => {
  expect(await read(`dist/${site}/licenses.txt`)).toBe(readFileSync(join(root, `dist/${site}/licenses.txt`), 'utf8'));
});
