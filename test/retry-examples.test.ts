/** Runs the examples of docs/consumers.md that wait for `Retry-After`, in each installed language. */
import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeBlocks, splitSections } from '../web/portal/markdown/sections.ts';
import { LANGUAGES } from '../web/portal/reference/samples/languages.ts';
import { readDocument } from './support/documents.ts';
import { describeEachLanguage } from './support/run-sample.ts';

const examples = codeBlocks(splitSections(readDocument('docs/consumers.md')).get('Retries') ?? '');

test('the page has an example for each language of the reference', () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.values(LANGUAGES).map(({ label }) => label));
});

describeEachLanguage((language, run) => {
  test('every example waits, then succeeds, and gives up if the wait is too long', async () => {
    const waits = ['1', null, '121'];
    const received: { readonly atMs: number; readonly key: unknown }[] = [];
    const server = createServer((req, res) => {
      const wait = waits[received.length] ?? null;
      received.push({ atMs: performance.now(), key: req.headers['x-api-key'] });
      res.writeHead(wait === null ? 200 : 429, wait === null ? {} : { 'Retry-After': wait }).end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const code = examples.find(({ title }) => title === LANGUAGES[language].label)?.text ?? '';
      const runs = [];
      // Run them one after another, because both use the same list of waits.
      for (const _ of ['succeeds', 'gives up'])
        runs.push(await run(code.replaceAll('127.0.0.1:8080', address), { API_KEY: 'key' }).catch(String));
      expect(runs[0]?.trim()).toBe('200');
      expect(runs[1]).toContain('429');
      expect(received.map(({ key }) => key)).toEqual(['key', 'key', 'key']);
      expect((received[1]?.atMs ?? 0) - (received[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
    } finally {
      server.close();
    }
  });
});
