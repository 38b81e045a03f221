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
  readonly createHead: ((page: FoundPage) => PageHead) | null;
  /** The address of a page in Markdown, relative to the portal; null if it has none. */
  readonly getMarkdownAddress: (page: FoundPage) => string | null;
}

/**
 * Serves the portal's HTML at the address of each page. The HTML never depends on the session. Without `portal.public`,
 * it is the same for every page. With `portal.public`, the HTML of a public page contains the title and description of
 * the page.
 */
export function createServePages({
  index,
  siteTitle,
  createHead,
  getMarkdownAddress,
}: ServePagesDependencies): Handler {
  const template = createTemplate(index.body.toString());
  const createPlainPage = (up: string) =>
    new StoredText(template({ title: siteTitle, up, meta: [NO_INDEX] }), HTML_TYPE);
  // Pages exist only at these depths; any other URL is a 404.
  const plainPages = new Map(['', PARENT].map((up) => [up, createPlainPage(up)]));
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
    if (page === null && !isBrokenLink(path, req.headers.accept)) return next();
    res.locals.isRoutine = true;
    const up = page === null ? PARENT.repeat(countDepth(path)) : page.page.includes('/') ? PARENT : '';
    const head = page?.isForEverybody === true ? (createHead?.(page) ?? null) : null;
    if (page === null || head === null || !head.exists) {
      const status = page === null || head !== null ? 404 : 200;
      return respondStored(req, res, plainPages.get(up) ?? createPlainPage(up), SECURITY_HEADERS, status);
    }
    const key = `${page.page} ${page.name}`;
    let html = publicPages.get(key);
    if (html === undefined) {
      html = new StoredText(template({ title: formatTitle(head), up, meta: formatMeta(head, up, page) }), HTML_TYPE);
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
    const markdown = getMarkdownAddress(page);
    return [
      ...(page.page === 'sign-in' || page.page === 'access' ? [NO_INDEX] : []),
      ...(description === null ? [] : [`<meta name="description" content="${escapeHtml(description)}" />`]),
      ...properties.map(([name, content = '']) => `<meta property="${name}" content="${escapeHtml(content)}" />`),
      ...(markdown === null
        ? []
        : [
            `<link rel="alternate" type="text/markdown" href="${escapeHtml(up === '' ? `./${markdown}` : up + markdown)}" />`,
          ]),
    ];
  }
}

const FIRST_GUIDE = 'docs/getting-started';
const PARENT = '../';
const MAX_CACHED_BYTES = 8 * 1024 ** 2;
const HTML_TYPE = 'text/html; charset=utf-8';
const NO_INDEX = '<meta name="robots" content="noindex" />';

/** Whether a browser has opened a path that belongs neither to the API, which responds in JSON, nor to a file. */
function isBrokenLink(path: string, accept = ''): boolean {
  return accept.includes('text/html') && !/^api(\/|$)|^assets\/|[.%\\]|\/\//.test(path);
}

function countDepth(path: string): number {
  return path.split('/').length - 1;
}

interface TemplateValues {
  readonly title: string;
  /** The relative path from the page to the portal, such as `../`. */
  readonly up: string;
  readonly meta: readonly string[];
}

/** @param html the built HTML, whose links to files are relative; the title and the `robots` element are replaced */
function createTemplate(html: string): (values: TemplateValues) => string {
  const titlePattern = /<title>[^<]*<\/title>/;
  const htmlWithoutRobots = html.replace(/<meta name="robots"[^<>]*>\s*/, '');
  return ({ title, up, meta }) =>
    htmlWithoutRobots
      .replaceAll(/\b(src|href)="\.\//g, (_, name: string) => `${name}="${up === '' ? './' : up}`)
      .replace(titlePattern, () => [`<title>${escapeHtml(title)}</title>`, ...meta].join('\n    '));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
