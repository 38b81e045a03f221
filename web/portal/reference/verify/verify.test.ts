import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

/**
 * A consumer pastes a sample, and it takes what the gateway signs and nothing else. Each is run as it stands, called as
 * its service would; a sample in a language that is not installed here is not run.
 */
interface Runner {
  readonly file: string;
  readonly program: string;
  /** What is run, and what calls the sample. */
  readonly run: readonly string[];
  readonly caller?: { readonly file: string; readonly text: string };
}

const FROM_ENVIRONMENT = {
  'webhook-id': 'WEBHOOK_ID',
  'webhook-timestamp': 'WEBHOOK_TIMESTAMP',
  'webhook-signature': 'WEBHOOK_SIGNATURE',
} as const;

const RUNNERS: readonly Runner[] = [
  { file: 'verify.sh', program: 'sh', run: ['verify.sh'] },
  {
    file: 'verify.mjs',
    program: process.execPath,
    run: ['call.mjs'],
    caller: {
      file: 'call.mjs',
      text: `import { readFileSync } from 'node:fs';
import { verify } from './verify.mjs';
const headers = Object.fromEntries(Object.entries(${JSON.stringify(FROM_ENVIRONMENT)}).map(([name, variable]) => [name, process.env[variable]]));
process.exit(verify(readFileSync('body.json'), headers) ? 0 : 1);`,
    },
  },
  {
    file: 'verify.py',
    program: 'python3',
    run: ['call.py'],
    caller: {
      file: 'call.py',
      text: `import os
from verify import verify
headers = {name: os.environ[variable] for name, variable in ${JSON.stringify(FROM_ENVIRONMENT)}.items()}
raise SystemExit(0 if verify(open('body.json', 'rb').read(), headers) else 1)`,
    },
  },
  {
    file: 'verify.go',
    program: 'go',
    run: ['run', 'verify.go', 'call.go'],
    caller: {
      file: 'call.go',
      text: `package main
import ("net/http"; "os")
func main() {
	body, _ := os.ReadFile("body.json")
	header := http.Header{}
${Object.entries(FROM_ENVIRONMENT)
  .map(([name, variable]) => `\theader.Set("${name}", os.Getenv("${variable}"))`)
  .join('\n')}
	if !verify(body, header) { os.Exit(1) }
}`,
    },
  },
];

const installed = RUNNERS.filter(
  ({ program }) => spawnSync(program, [program === 'go' ? 'version' : '-c', 'exit']).error === undefined,
);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const ID = 'evt_0123456789abcdefghij';
const BODY = JSON.stringify({
  type: 'key.created',
  timestamp: '2026-11-22T09:00:00.000Z',
  data: { name: `it's "ü" 🎉` },
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  for (const { file, caller } of RUNNERS) {
    copyFileSync(join(import.meta.dirname, file), join(folder, file));
    if (caller !== undefined) writeFileSync(join(folder, caller.file), caller.text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Sent {
  readonly secrets?: readonly string[];
  readonly secondsAgo?: number;
  readonly body?: string;
  readonly id?: string;
}

/** @returns whether the sample takes it */
async function takes({ program, run }: Runner, { secrets = [SECRET], secondsAgo = 0, body = BODY, id = ID }: Sent) {
  const at = new Date(Date.now() - secondsAgo * 1000);
  const signature = secrets.map((secret) => new Webhook(secret).sign(ID, at, BODY)).join(' ');
  writeFileSync(join(folder, 'body.json'), body);
  const env = {
    ...process.env,
    WEBHOOK_SECRET: SECRET,
    WEBHOOK_ID: id,
    WEBHOOK_TIMESTAMP: String(Math.floor(at.getTime() / 1000)),
    WEBHOOK_SIGNATURE: signature,
  };
  const child = spawn(program, run, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let problems = '';
  child.stderr.on('data', (chunk) => (problems += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  if (code !== 0 && code !== 1) throw new Error(problems);
  return code === 0;
}

describe.each(installed)('$file', (runner) => {
  test('takes what was signed just now, also while one secret replaces the other', async () => {
    expect(await takes(runner, {})).toBe(true);
    expect(await takes(runner, { secrets: [OTHER, SECRET] })).toBe(true);
    expect(await takes(runner, { secondsAgo: 200 })).toBe(true);
  });

  test('takes nothing else', async () => {
    expect(await takes(runner, { secrets: [OTHER] })).toBe(false);
    expect(await takes(runner, { body: BODY.replace('created', 'revoked') })).toBe(false);
    expect(await takes(runner, { id: 'evt_another' })).toBe(false);
    expect(await takes(runner, { secondsAgo: 400 })).toBe(false);
    expect(await takes(runner, { secondsAgo: -400 })).toBe(false);
  });
});
