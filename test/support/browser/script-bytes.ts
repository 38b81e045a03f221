import { type BrowserPage, waitUntilSettled, watchRequests } from './browser-page.ts';

/** A script that suppresses background loading, which starts two seconds after the first screen is shown. */
const NO_BACKGROUND = `{
  const { setTimeout } = window;
  window.setTimeout = (run, ms, ...rest) => (ms >= 1000 ? 0 : setTimeout(run, ms, ...rest));
}`;

/** Patterns for the paths of scripts that are not counted. */
interface Uncounted {
  /** Scripts that are not loaded at first. They are replaced by an empty script. */
  readonly later?: RegExp;
  /** Scripts that are loaded but not counted. */
  readonly preloaded?: RegExp | undefined;
}

/** Measures the compressed size of the scripts that a page loads for its first screen, in bytes. */
export async function measureScripts(
  open: BrowserPage,
  url: string,
  { later, preloaded }: Uncounted = {},
): Promise<number> {
  let bytes = 0;
  const page = await open.context.newPage();
  watchRequests(page);
  await page.addInitScript({ content: NO_BACKGROUND });
  if (later !== undefined) {
    await page.route(later, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  }
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const isUncounted = later?.test(pathname) === true || preloaded?.test(pathname) === true;
    if (pathname.endsWith('.js') && !isUncounted) bytes += Number(response.headers()['content-length']);
  });
  await page.goto(url);
  await waitUntilSettled(page);
  await page.close();
  return bytes;
}
