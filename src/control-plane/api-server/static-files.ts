import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { respond, type Handler } from './send-response.ts';
import { acceptsCoding } from '../../http/stored-text.ts';

const INDEX_FILE = 'index.html';

export interface StaticFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: Buffer;
  /** Compressed variants, preferred ones first; empty if compression does not make the file smaller. */
  readonly compressed: readonly CompressedVariant[];
}

interface CompressedVariant {
  readonly coding: 'br' | 'gzip';
  readonly body: Buffer;
}

/** Files by path, relative to the folder of the pages. The path of the index is empty. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};
/** Suffixes that the build adds to the names of compressed files, by content coding. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** Matches a name with a hash of the content. The build names all files like this, except the index and copied files. */
const HASHED_NAME = /-[\w-]{8}\.\w+$/;
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/**
 * Reads all files of the pages in advance. Only these files are ever served, whatever path a request has.
 *
 * @returns null if the pages were not built
 */
export async function readStaticFiles(folder: string): Promise<StaticFiles | null> {
  const entries = await listFiles(folder);
  if (!entries.includes(INDEX_FILE)) return null;
  const isCompressed = (path: string) => Object.values(SUFFIXES).some((suffix) => path.endsWith(suffix));
  const files = await Promise.all(
    entries
      .filter((path) => !isCompressed(path))
      .map(async (path) => [path === INDEX_FILE ? '' : path, await readStaticFile(folder, path, entries)] as const),
  );
  return new Map(files);
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readStaticFile(folder: string, path: string, entries: readonly string[]): Promise<StaticFile> {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const codings = (['br', 'gzip'] as const).filter((coding) => entries.includes(path + SUFFIXES[coding]));
  return {
    contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream',
    cacheControl: HASHED_NAME.test(path) ? CACHE_FOREVER : 'no-store',
    body: await readFile(join(folder, path)),
    compressed: await Promise.all(
      codings.map(async (coding) => ({ coding, body: await readFile(join(folder, path + SUFFIXES[coding])) })),
    ),
  };
}

/**
 * Forbids inline scripts and styles, resources from other origins, text that becomes markup, and framing by other
 * pages.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

interface ServeFilesOptions {
  readonly files: StaticFiles;
  /** The path at which the files are served. It ends with a slash. */
  readonly path: string;
  /** Redirect targets, by path. They are relative, so that a reverse proxy may add a prefix. */
  readonly redirects: Readonly<Record<string, string>>;
}

/**
 * Serves the files of the pages. They need no authentication, because they contain no data: the pages load their data with
 * a session.
 */
export function createServeFiles({ files, path: root, redirects }: ServeFilesOptions): Handler {
  return function serveFiles(req, res, next) {
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const redirect = Object.hasOwn(redirects, path) ? redirects[path] : undefined;
    const file = path.startsWith(root) ? files.get(path.slice(root.length)) : undefined;
    if (redirect === undefined && file === undefined) return next();
    res.locals.isRoutine = true;
    if (file !== undefined) return sendFile(res, file, req.headers['accept-encoding'] ?? '');
    respond(res, 303, { ...SECURITY_HEADERS, Location: redirect ?? '' }, undefined);
  };
}

function sendFile(res: Parameters<Handler>[1], file: StaticFile, acceptEncoding: string): void {
  const variant = file.compressed.find(({ coding }) => acceptsCoding(acceptEncoding, coding));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': file.contentType,
    'Cache-Control': file.cacheControl,
    ...(file.compressed.length === 0 ? {} : { Vary: 'Accept-Encoding' }),
    ...(variant === undefined ? {} : { 'Content-Encoding': variant.coding }),
  };
  respond(res, 200, headers, variant?.body ?? file.body);
}
