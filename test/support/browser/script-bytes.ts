import { type BrowserPage, waitUntilSettled, watchRequests } from './browser-page.ts';

/** Suppresses background loading, which starts two seconds after the first screen. */
const NO_BACKGROUND = `{
  const { setTimeout } = window;
  window.setTimeout = (run, ms, ...rest) => (ms >= 1000 ? 0 : setTimeout(run, ms, ...rest));
}`;

/** Matched against the path of a script. */
interface Uncounted {
  /** Answered with an empty script. */
  readonly later?: RegExp;
  /** Loaded, but not counted. */
  readonly preloaded?: RegExp | undefined;
}

/** Compressed size of the scripts that a page loads for its first screen, in bytes. */
export async function scriptBytes(
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
