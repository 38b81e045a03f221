import { type TextSection, textSections } from '../../markdown/headings.ts';
import type { LinkTarget } from '../../markdown/safe-address.ts';

export interface Guide {
  readonly title: string;
  /** Shown in lists, and by search engines. */
  readonly description: string;
  /** The headings of the guide's sections in docs/consumers.md. */
  readonly sections: readonly string[];
  /** True if the page shows the user's own limits above the guide. */
  readonly hasLimits?: boolean;
}

/** The guides from the documentation, by the last segment of their URL. */
export const GUIDES: Readonly<Record<string, Guide>> = {
  portal: { title: 'This portal', description: 'What you can do in this portal.', sections: ['The portal'] },
  authentication: {
    title: 'Authentication',
    description: 'How to send your key, and how to keep it safe.',
    sections: ['Authentication'],
  },
  limits: {
    title: 'Limits',
    description: 'How many calls you can make, what happens beyond that, and how to retry.',
    sections: ['Rate limits', 'Retries', 'Client libraries', 'Timeouts and size limits'],
    hasLimits: true,
  },
  standing: {
    title: 'Usage API',
    description: 'Ask the API how much of your limits you have used.',
    sections: ['Usage'],
  },
  webhooks: {
    title: 'Receiving events',
    description: 'Receive events at your own URL, and verify their signatures.',
    sections: ['Webhooks'],
  },
  lifecycle: {
    title: 'Deprecated operations',
    description: 'How you learn that an operation will be removed.',
    sections: ['Deprecated operations'],
  },
  errors: {
    title: 'Errors',
    description: 'The format of errors, and every code with its meaning.',
    sections: ['Errors'],
  },
};

/** A page whose sections are searched. */
export interface SearchedPage {
  readonly href: string;
  readonly title: string;
  readonly sections: readonly TextSection[];
}

/**
 * Lists the guides for the search.
 *
 * @param texts the sections by heading; undefined until they are loaded, and then only titles are searched
 */
export function searchedGuides(texts: ReadonlyMap<string, string> = new Map()): readonly SearchedPage[] {
  return Object.entries(GUIDES).map(([page, { title }]) => ({
    href: `/docs/${page}`,
    title,
    sections: guideSections(page, texts),
  }));
}

/** Lists the sections of a guide, with the anchors of their headings. */
export function guideSections(page: string, texts: ReadonlyMap<string, string>): readonly TextSection[] {
  const names = GUIDES[page]?.sections ?? [];
  const [first = '', ...others] = names.map((name) => texts.get(name) ?? '');
  const markdown = others.length === 0 ? first : names.map((name) => `## ${name}\n${texts.get(name) ?? ''}`).join('\n');
  return textSections(markdown);
}

/** Converts the target of a link in the documentation to one in the portal. Null if the page is not for consumers. */
export function guideAddress(url: string): LinkTarget | null {
  if (/^https?:/.test(url)) return { href: url };
  const [found, section] = /^errors\.md(?:#(.*))?$/.exec(url) ?? [];
  return found === undefined ? null : pageTarget('/docs/errors', section);
}

/**
 * Converts the target of a link in a page of the team: another page of the team by its file name, an external URL, a
 * mail address, or a page of the portal. Null for anything else.
 */
export function teamPageAddress(url: string): LinkTarget | null {
  const [, page, section] = /^([^#]*)(?:#(.*))?$/.exec(url) ?? [];
  if (page === undefined) return null;
  if (page === '' && section !== undefined) return pageTarget('.', section);
  const [, other] = /^(?:\.\/)?([a-z0-9][a-z0-9-]*)\.md$/.exec(page) ?? [];
  if (other !== undefined) return pageTarget(`/pages/${other}`, section);
  if (/^\/(?![/\\])[\w/.-]*$/.test(page)) return pageTarget(page, section);
  return /^(?:https?|mailto):/i.test(url) ? { href: url } : null;
}

/**
 * Creates the target for a page and one of its sections.
 *
 * @param section as in a URL, where it may be percent-encoded
 */
function pageTarget(page: string, section: string | undefined): LinkTarget {
  if (section === undefined || section === '') return { page };
  try {
    return { page, section: decodeURIComponent(section) };
  } catch {
    return { page };
  }
}
