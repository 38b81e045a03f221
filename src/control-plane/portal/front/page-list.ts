/**
 * The readers of each page by its address. `everybody` may read a page only if `portal.public` is on; otherwise, people
 * with a session may. `{}` in an address stands for a name. The router of the pages (`web/portal/routes.tsx`) has the same
 * addresses.
 */
const PAGES: Readonly<Record<string, 'everybody' | 'session'>> = {
  '': 'everybody',
  'sign-in': 'everybody',
  access: 'everybody',
  plans: 'everybody',
  reference: 'everybody',
  'reference/{}': 'everybody',
  events: 'everybody',
  'events/{}': 'everybody',
  'docs/{}': 'everybody',
  'pages/{}': 'everybody',
  overview: 'session',
  welcome: 'session',
  keys: 'session',
  usage: 'session',
  requests: 'session',
  changes: 'session',
  webhooks: 'session',
  'webhooks/{}': 'session',
  account: 'session',
};

export interface FoundPage {
  /** A key of `PAGES`. */
  readonly page: string;
  /** The decoded name in place of `{}`. */
  readonly name: string;
  readonly isForEverybody: boolean;
}

/** Finds the page at a path; null if there is none. @param path relative to the portal, without a leading slash */
export function findPage(path: string): FoundPage | null {
  if (Object.hasOwn(PAGES, path)) return path.includes('{') ? null : toFoundPage(path, '');
  const slash = path.indexOf('/');
  // The name may contain slashes, because some proxies decode escaped slashes.
  const [folder, name] = [path.slice(0, slash), decoded(path.slice(slash + 1))];
  const page = `${folder}/{}`;
  return slash > 0 && name !== null && name !== '' && Object.hasOwn(PAGES, page) ? toFoundPage(page, name) : null;
}

export function pageAddresses(): readonly string[] {
  return Object.keys(PAGES);
}

function toFoundPage(page: string, name: string): FoundPage {
  return { page, name, isForEverybody: PAGES[page] === 'everybody' };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
