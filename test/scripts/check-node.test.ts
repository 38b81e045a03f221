import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/gateway/gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

test.each(['start', 'prepare', 'test'])('with an old version of Node, npm %s ends with an error message', (script) => {
  const [, nodeOptions = '', file = ''] = /node (-r \S+) (\S+)/.exec(scripts[script] ?? '') ?? [];
  const oldNode = join(temporaryDirectory(), 'old-node.cjs');
  writeFileSync(oldNode, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', oldNode, ...nodeOptions.split(' '), file], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^tollgate: Node 24 or newer is required, and this is v.+\n$/),
  });
});
