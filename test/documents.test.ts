/** The links, files, folders and scripts that documents mention must exist. */
import { describe, expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { clients, nameOf } from '../clients/clients.ts';
import { HEAD } from '../clients/table.ts';
import { documents, readTableHeadings, readDocument, readTableRows } from './support/documents.ts';
import { root } from './support/gateway/gateway.ts';

const MAX_README_LINES = 200;

const FOLDERS = [
  '.ci',
  'bench',
  'bin',
  'clients',
  'config',
  'deploy',
  'docs',
  'examples',
  'ops',
  'scripts',
  'src',
  'test',
];
/** Matches paths in prose and code that begin with a folder of the repository, and well-known files in the root. */
const PATH = new RegExp(
  `(?<![\\w/.:-])(?:(?:${FOLDERS.map((name) => RegExp.escape(name)).join('|')})/[\\w./<>*-]*[\\w/>*]` +
    '|[A-Z]{4,}\\.md|LICENSE|Dockerfile|docker-compose\\.yml|package\\.json)',
  'g',
);

/** Reads a document without its code blocks, in which `[a](b)` and `#` have other meanings. */
function prose(path: string): string {
  return readDocument(path).replaceAll(/^( *)```[^]*?^\1```$/gm, '');
}

/** Lists the anchors that GitHub generates for the headings of a document. */
function listAnchors(path: string): Set<string> {
  const headings = Array.from(prose(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('the README is short', () => {
  expect(readDocument('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
});

test('every document can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    for (const { file } of listLinks(path)) if (documents.includes(file)) reached.add(file);
  }
  expect([...reached].sort()).toEqual(documents);
});

interface Link {
  readonly target: string;
  /** The path relative to the root of the repository. */
  readonly file: string;
  readonly anchor: string | undefined;
}

function listLinks(path: string): Link[] {
  const targets = Array.from(prose(path).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      return { target, file: file === '' ? path : posix.join(posix.dirname(path), file), anchor };
    });
}

/** True if a path exists. `<noun>` in it stands for any name. */
function exists(path: string): boolean {
  if (!/[<*]/.test(path)) return existsSync(join(root, path));
  return globSync(path.replaceAll(/<\w+>/g, '*'), { cwd: root }).length > 0;
}

/** The folders that have a package.json of their own. */
const PACKAGES = ['bench', 'clients'];

/** Lists the scripts in the package.json of a folder. */
function listScripts(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { scripts: object };
  return Object.keys(manifest.scripts);
}

test('the tables of client libraries list the tested clients, and none of them was banned', () => {
  for (const title of ['One request:', '20 requests at once with one key:']) {
    const rows = readTableRows('docs/consumers.md', 'client', title);
    expect(readTableHeadings('docs/consumers.md', 'client', title)).toEqual(HEAD);
    expect(rows.map(([name]) => name)).toEqual(clients.map(nameOf));
    for (const cell of rows.flatMap((row) => row.slice(1))) {
      expect(cell).toMatch(/^(?:(?:\d+ )?(?:served|failed|waiting), )+\d+ calls?$/);
    }
  }
});

describe.each(documents)('%s', (path) => {
  test('has no broken links', () => {
    for (const { target, file, anchor } of listLinks(path)) {
      expect({ target, exists: existsSync(join(root, file)) }).toEqual({ target, exists: true });
      if (anchor !== undefined) expect([...listAnchors(file)]).toContain(anchor);
    }
  });

  // A reader who selects or searches for such a span would find a line break in it.
  test('has no code span that is broken over two lines', () => {
    const spans = Array.from(prose(path).matchAll(/`[^`]*`/g), ([span]) => span);
    expect(spans.filter((span) => span.includes('\n'))).toEqual([]);
  });

  test('names only existing files and folders', () => {
    for (const [name] of readDocument(path).matchAll(PATH)) {
      // Links are relative to the document that contains them.
      expect({ name, exists: exists(name) || exists(join(dirname(path), name)) }).toEqual({ name, exists: true });
    }
  });

  test('names only existing scripts', () => {
    const blocks = readDocument(path).split(/\n(?=\n)/);
    for (const block of blocks) {
      const scripts = listScripts(
        PACKAGES.find((folder) => path.startsWith(`${folder}/`) || block.includes(`cd ${folder}`)) ?? '.',
      );
      for (const [, name = ''] of block.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toContain(name);
    }
  });
});
