import { LRUCache } from 'lru-cache';
import { SECURITY_HEADERS } from '../../api-server/static-files.ts';
import type { Handler } from '../../api-server/send-response.ts';
import { respondStored, StoredText } from '../../../http/stored-text.ts';
import { API_CATALOG_PATH, API_CATALOG_TYPE } from '../../../http/path-rules.ts';
import type { MarkdownPages } from './markdown-pages.ts';
import type { FoundPage } from './page-list.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN_TEXT = 'text/plain; charset=utf-8';
/** A plan may change, so pages are cached only briefly. */
const CACHE_TTL_MS = 10_000;
const MAX_CACHED_BYTES = 16 * 1024 ** 2;

interface ServeMachineFilesDependencies {
  readonly pages: MarkdownPages;
  readonly catalog: () => string;
  /** How long a file is cached; 0 means forever. */
  readonly ttlMs?: number;
}

/** Serves the files of a public portal for programs: `/llms.txt`, pages in Markdown, and the catalog of the API. */
export function createServeMachineFiles({
  pages,
  catalog,
  ttlMs = CACHE_TTL_MS,
}: ServeMachineFilesDependencies): Handler {
  const cachedFiles = new LRUCache<string, StoredText>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ maxBytes }) => maxBytes,
    ttl: ttlMs,
  });

  async function readFile(path: string, page: FoundPage | null): Promise<StoredText | null> {
    if (path === 'llms.txt') return new StoredText(pages.writeTableOfContents(), PLAIN_TEXT);
    if (path === API_CATALOG_PATH.slice(1)) return new StoredText(catalog(), API_CATALOG_TYPE);
    const markdown = page === null ? null : await pages.page(page);
    return markdown === null ? null : new StoredText(`${markdown}\n`, MARKDOWN);
  }

  return async function serveMachineFiles(req, res, next) {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const path = (req.originalUrl.split('?', 1)[0] ?? '').slice(1);
    const page = pages.find(path);
    // Each page has one cache entry, even if its address is spelled in several ways.
    const key = page === null ? path : `${page.page} ${page.name}`;
    let file = cachedFiles.get(key) ?? null;
    if (file === null) {
      file = await readFile(path, page);
      if (file === null) return next();
      cachedFiles.set(key, file);
    }
    res.locals.isRoutine = true;
    const headers = { ...SECURITY_HEADERS, 'Cache-Control': 'public, max-age=60' };
    const isCatalog = file.contentType === API_CATALOG_TYPE;
    return respondStored(req, res, file, isCatalog ? { ...headers, Link: CATALOG_LINK } : headers);
  };
}

const CATALOG_LINK = `<${API_CATALOG_PATH}>; rel="api-catalog"`;
