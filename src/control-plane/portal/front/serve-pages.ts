import { LRUCache } from 'lru-cache';
import { SECURITY_HEADERS, type StaticFile } from '../../api-server/static-files.ts';
import type { Handler } from '../../api-server/send-response.ts';
import { respondStored, StoredText } from '../../../http/stored-text.ts';
import type { PageHead } from './page-heads.ts';
import { findPage, type FoundPage } from './page-list.ts';

interface ServePagesDependencies {
  /** The HTML file as it was built. */
  readonly index: StaticFile;
  readonly siteTitle: string;
  /** Creates the head of a page that needs no session; null unless `portal.public` is on. */
  readonly headOf: ((page: FoundPage) => PageHead) | null;
  /** The address of a page in Markdown, relative to the portal; null if it has none. */
  readonly markdownOf: (page: FoundPage) => string | null;
}

/**
 * Serves the portal's HTML at the address of each page. The HTML never depends on the session. Without `portal.public`,
 * it is the same for every page. With `portal.public`, the HTML of a public page contains the title and description of
 * the page.
 */
export function createServePages({ index, siteTitle, headOf, markdownOf }: ServePagesDependencies): Handler {
  const template = readTemplate(index.body.toString());
  const plain = (up: string) => new StoredText(template({ title: siteTitle, up, meta: [NO_INDEX] }), HTML);
  // Pages exist only at these depths; any other URL is a 404.
  const plainPages = new Map(['', UP].map((up) => [up, plain(up)]));
  const publicPages = new LRUCache<string, StoredText>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ maxBytes }) => maxBytes,
  });

  return async function servePages(req, res, next) {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const path = (req.originalUrl.split('?', 1)[0] ?? '').slice(1);
    // There is no page with a list of the guides, because each guide shows the list. So redirect to the first guide.
    if (path === 'docs') return res.set(SECURITY_HEADERS).redirect(FIRST_GUIDE);
    const page = findPage(path);
    // Somebody who follows a broken link in a browser should see a page, not an error in JSON.
    if (page === null && !isWrongLink(path, req.headers.accept)) return next();
    res.locals.isRoutine = true;
    const up = page === null ? UP.repeat(countDepth(path)) : page.page.includes('/') ? UP : '';
    const head = page?.isForEverybody === true ? (headOf?.(page) ?? null) : null;
    if (page === null || head === null || !head.exists) {
      const status = page === null || head !== null ? 404 : 200;
      return respondStored(req, res, plainPages.get(up) ?? plain(up), SECURITY_HEADERS, status);
    }
    const key = `${page.page} ${page.name}`;
    let html = publicPages.get(key);
    if (html === undefined) {
      html = new StoredText(template({ title: formatTitle(head), up, meta: formatMeta(head, up, page) }), HTML);
      publicPages.set(key, html);
    }
    // Browsers must revalidate the HTML each time, because an update changes the names of the files in it.
    return respondStored(req, res, html, { ...SECURITY_HEADERS, 'Cache-Control': 'public, no-cache' });
  };

  function formatTitle({ title }: PageHead): string {
    return title === null ? siteTitle : `${title} · ${siteTitle}`;
  }

  function formatMeta(head: PageHead, up: string, page: FoundPage): string[] {
    const { description } = head;
    const properties = [
      ['og:type', 'website'],
      ['og:site_name', siteTitle],
      ['og:title', head.title ?? siteTitle],
      ...(description === null ? [] : [['og:description', description]]),
    ];
    const markdown = markdownOf(page);
    return [
      ...(page.page === 'sign-in' || page.page === 'access' ? [NO_INDEX] : []),
      ...(description === null ? [] : [`<meta name="description" content="${escaped(description)}" />`]),
      ...properties.map(([name, content = '']) => `<meta property="${name}" content="${escaped(content)}" />`),
      ...(markdown === null
        ? []
        : [
            `<link rel="alternate" type="text/markdown" href="${escaped(up === '' ? `./${markdown}` : up + markdown)}" />`,
          ]),
    ];
  }
}

const FIRST_GUIDE = 'docs/getting-started';
const UP = '../';
const MAX_CACHED_BYTES = 8 * 1024 ** 2;
const HTML = 'text/html; charset=utf-8';
const NO_INDEX = '<meta name="robots" content="noindex" />';

/** Whether a browser has opened a path that belongs neither to the API, which responds in JSON, nor to a file. */
function isWrongLink(path: string, accept = ''): boolean {
  return accept.includes('text/html') && !/^api(\/|$)|^assets\/|[.%\\]|\/\//.test(path);
}

function countDepth(path: string): number {
  return path.split('/').length - 1;
}

interface Filled {
  readonly title: string;
  /** The relative path from the page to the portal, such as `../`. */
  readonly up: string;
  readonly meta: readonly string[];
}

/** @param html the built HTML, whose links to files are relative; the title and the `robots` element are replaced */
function readTemplate(html: string): (filled: Filled) => string {
  const slot = /<title>[^<]*<\/title>/;
  const bare = html.replace(/<meta name="robots"[^<>]*>\s*/, '');
  return ({ title, up, meta }) =>
    bare
      .replaceAll(/\b(src|href)="\.\//g, (_, name: string) => `${name}="${up === '' ? './' : up}`)
      .replace(slot, () => [`<title>${escaped(title)}</title>`, ...meta].join('\n    '));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
