import { respond, type Handler } from '../http/respond.ts';
import type { StaticFile, StaticFiles } from './static-files.ts';

/** Nothing inline and nothing from elsewhere, no text that becomes markup, and no page that frames this one. */
const POLICY = [
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

const SECURITY_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export interface ServeFilesSettings {
  readonly files: StaticFiles;
  /** Where they are served: ends in a slash. */
  readonly path: string;
  /** By path. Relative, so that a reverse proxy may add a prefix. */
  readonly redirects: Readonly<Record<string, string>>;
}

/** Serves the files of pages to anybody: they hold nothing, and what they show needs a session. */
export function createServeFiles({ files, path: root, redirects }: ServeFilesSettings): Handler {
  return function serveFiles(req, res, next) {
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const redirect = Object.hasOwn(redirects, path) ? redirects[path] : undefined;
    const file = path.startsWith(root) ? files.get(path.slice(root.length)) : undefined;
    if (redirect === undefined && file === undefined) return next();
    res.locals.isRoutine = true;
    if (file !== undefined) return send(res, file, req.headers['accept-encoding'] ?? '');
    respond(res, 303, { ...SECURITY_HEADERS, Location: redirect ?? '' }, undefined);
  };
}

function send(res: Parameters<Handler>[1], file: StaticFile, accepted: string): void {
  const chosen = file.compressed.find(({ coding }) => accepts(accepted, coding));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': file.contentType,
    'Cache-Control': file.cacheControl,
    ...(file.compressed.length === 0 ? {} : { Vary: 'Accept-Encoding' }),
    ...(chosen === undefined ? {} : { 'Content-Encoding': chosen.coding }),
  };
  respond(res, 200, headers, chosen?.body ?? file.body);
}

/** Whether a coding is named in `Accept-Encoding`; one with a weight counts as not wanted, which is always right. */
function accepts(accepted: string, coding: string): boolean {
  return accepted.split(',').some((one) => one.trim().toLowerCase() === coding);
}
