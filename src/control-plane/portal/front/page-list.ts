/**
 * The readers of each page by its address. `everybody` may read a page only if `portal.public` is on; otherwise, people
 * with a session may. `{}` in an address stands for a name. The router of the pages (`web/portal/routes.tsx`) has the same
 * addresses.
 */
const READERS_BY_PAGE: Readonly<Record<string, 'everybody' | 'session'>> = {
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
  if (Object.hasOwn(READERS_BY_PAGE, path)) return path.includes('{') ? null : toFoundPage(path, '');
  const slash = path.indexOf('/');
  // The name may contain slashes, because some proxies decode escaped slashes.
  const [folder, name] = [path.slice(0, slash), decode(path.slice(slash + 1))];
  const page = `${folder}/{}`;
  return slash > 0 && name !== null && name !== '' && Object.hasOwn(READERS_BY_PAGE, page)
    ? toFoundPage(page, name)
    : null;
}

export function listPageAddresses(): readonly string[] {
  return Object.keys(READERS_BY_PAGE);
}

function toFoundPage(page: string, name: string): FoundPage {
  return { page, name, isForEverybody: READERS_BY_PAGE[page] === 'everybody' };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
