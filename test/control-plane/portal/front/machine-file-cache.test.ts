/**
 * The cache once had a separate entry for each spelling of a page's URL, and it limited the number of its pages but not
 * their size.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { createServeMachineFiles } from '../../../../src/control-plane/portal/front/serve-machine-files.ts';
import { findPage } from '../../../../src/control-plane/portal/front/page-list.ts';

const PAGE_BYTES = 700_000;
let server: Server;
let url: string;
/** The names of the pages that were written, in order. */
const written: string[] = [];

beforeAll(async () => {
  const pages = {
    find: (path: string) => (path.endsWith('.md') ? findPage(path.slice(0, -'.md'.length)) : null),
    page: async ({ name }: { readonly name: string }) => {
      written.push(name);
      return name === 'none' ? null : 'x'.repeat(PAGE_BYTES);
    },
    writeTableOfContents: () => '',
  };
  server = createServer(express().use(createServeMachineFiles({ pages, catalog: () => '{}', ttlMs: 0 })));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => void written.splice(0));

async function read(path: string): Promise<number> {
  const response = await fetch(`${url}/${path}`);
  await response.arrayBuffer();
  return response.status;
}

/**
 * Creates spellings of a name in which one or more letters are escaped. A name has 2 to the power of its length
 * spellings.
 */
function createSpellings(name: string, count: number): string[] {
  const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
  return Array.from({ length: count }, (_, bits) =>
    Array.from(name, (letter, at) => ((bits >> at) & 1 ? escaped(letter) : letter)).join(''),
  );
}

test('all spellings of the address of a Markdown page share one cache entry', async () => {
  for (const name of createSpellings('getting-it', 300)) expect(await read(`docs/${name}.md`)).toBe(200);
  expect(written).toEqual(['getting-it']);
});

test('the cache of Markdown pages is limited in bytes and keeps the newest pages', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `page-${index}`);
  for (const name of names) await read(`reference/${name}.md`);
  expect(written).toEqual(names);
  await read('reference/page-39.md');
  await read('reference/page-0.md');
  expect(written.slice(names.length)).toEqual(['page-0']);
});

test('a Markdown page that does not exist is not cached', async () => {
  expect(await read('docs/none.md')).toBe(404);
  expect(await read('docs/none.md')).toBe(404);
  expect(written).toEqual(['none', 'none']);
});
