import type { Nodes } from 'mdast';
import { findMarkdownFault } from '../../../src/base/portable/markdown-bounds.ts';
import { extractFirstParagraph } from '../../../src/control-plane/portal/front/plain-text.ts';
import { textSections } from '../../../web/portal/markdown/headings.ts';
import { parseMarkdown } from '../../../web/portal/markdown/parse.ts';
import { safeAddress } from '../../../web/portal/markdown/safe-address.ts';

/**
 * The limit for the CPU time of summarizing a text. It takes a few ms if only the beginning is read, and seconds if the
 * whole text is read.
 */
const MAX_SUMMARY_MS = 1000;
const TRIES = 3;
const PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** Collects all Markdown texts of a document. */
export function textsIn(document: unknown): Set<string> {
  const texts = new Set<string>();
  const values = [document];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      if (typeof part === 'string' && (name === 'description' || name === 'summary')) texts.add(part);
      else values.push(part);
    }
  }
  return texts;
}

/**
 * Reads a text like the portal's server and its pages.
 *
 * @throws Error if that takes long, or a link is not safe
 */
export function readText(text: string): void {
  // The first attempt may include the time to compile the code, so use the fastest.
  const times = Array.from({ length: TRIES }, () => measureCpuMs(() => extractFirstParagraph(text, 300)));
  if (Math.min(...times) > MAX_SUMMARY_MS) throw new Error(`a summary takes ${Math.min(...times)} ms`);
  if (findMarkdownFault(text) !== null) return;
  textSections(text);
  for (const url of urlsIn(parseMarkdown(text))) {
    // Parse the link like a browser on a web page.
    const leadsTo = URL.canParse(url, 'https://page.example/') ? new URL(url, 'https://page.example/').protocol : null;
    const isSafe = leadsTo !== null && PROTOCOLS.includes(leadsTo);
    if (safeAddress(url) !== null && !isSafe) throw new Error(`a link leads to ${leadsTo}`);
  }
}

function measureCpuMs(compute: () => void): number {
  const before = process.cpuUsage();
  compute();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function urlsIn(node: Nodes): string[] {
  const own = 'url' in node ? [node.url] : [];
  return 'children' in node ? [...own, ...node.children.flatMap(urlsIn)] : own;
}
