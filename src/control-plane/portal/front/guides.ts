import { readFile } from 'node:fs/promises';

/** A guide of the portal, as the build writes it (`web/portal/screens/guides/guide-pages.ts`). */
interface Guide {
  readonly title: string;
  readonly description: string;
  readonly sections: readonly GuideSection[];
  /** A Markdown table of everything that the guide describes, such as every error code; null if there is none. */
  readonly table: GuideSection | null;
}

interface GuideSection {
  readonly title: string;
  readonly markdown: string;
}

/** Guides by name, in the order of the navigation. */
export type Guides = ReadonlyMap<string, Guide>;

/** The first guide. It is not in `Guides`, because its text depends on the API. */
export const GETTING_STARTED = {
  title: 'Getting started',
  description: 'Make a first request in a few minutes.',
};

/** The URL in the examples of the guides: a gateway on the reader's machine. */
const EXAMPLE_URL = 'http://127.0.0.1:8080';
const EXAMPLE_WEBSOCKET_URL = toWebSocketUrl(EXAMPLE_URL);

/** Replaces the URL in the examples of a guide with the URL of this API. @param apiUrl without a trailing slash */
export function withApiUrl(markdown: string, apiUrl: string): string {
  return markdown.replaceAll(EXAMPLE_URL, apiUrl).replaceAll(EXAMPLE_WEBSOCKET_URL, toWebSocketUrl(apiUrl));
}

function toWebSocketUrl(url: string): string {
  return url.replace(/^http/, 'ws');
}

/** Formats a guide as one text, without its title. */
export function formatGuide({ sections, table }: Guide): string {
  const [onlySection, ...others] = sections;
  const parts = others.length === 0 && onlySection !== undefined ? [onlySection.markdown] : sections.map(formatSection);
  return [...parts, ...(table === null ? [] : [formatSection(table)])].join('\n\n');
}

function formatSection({ title, markdown }: GuideSection): string {
  return `## ${title}\n\n${markdown}`;
}

/** @returns an empty map if the guides were not built */
export async function readGuides(file: string): Promise<Guides> {
  try {
    const pages = JSON.parse(await readFile(file, 'utf8')) as readonly (Guide & { readonly name: string })[];
    return new Map(pages.map((page) => [page.name, page]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}
