import { type TextSection, textSections } from '../../markdown/headings.ts';
import type { LinkTarget } from '../../markdown/safe-address.ts';

export interface Guide {
  readonly title: string;
  /** For search engines and lists. */
  readonly description: string;
  /** Headings of its sections in docs/consumers.md. */
  readonly sections: readonly string[];
  /** Whether the user's own limits are shown above it. */
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

/** The sections of a page, for the search. */
export interface SearchedPage {
  readonly href: string;
  readonly title: string;
  readonly sections: readonly TextSection[];
}

/** @param texts undefined until they are loaded; until then, only titles are searched */
export function searchedGuides(texts: ReadonlyMap<string, string> = new Map()): readonly SearchedPage[] {
  return Object.entries(GUIDES).map(([page, { title }]) => ({
    href: `/docs/${page}`,
    title,
    sections: guideSections(page, texts),
  }));
}

/** The sections of a guide, each with its anchor. */
export function guideSections(page: string, texts: ReadonlyMap<string, string>): readonly TextSection[] {
  const names = GUIDES[page]?.sections ?? [];
  const [first = '', ...others] = names.map((name) => texts.get(name) ?? '');
  const markdown = others.length === 0 ? first : names.map((name) => `## ${name}\n${texts.get(name) ?? ''}`).join('\n');
  return textSections(markdown);
}

/** The target in the portal of a link in the documentation; null for pages that are not for consumers. */
export function guideAddress(url: string): LinkTarget | null {
  if (/^https?:/.test(url)) return { href: url };
  const [found, section] = /^errors\.md(?:#(.*))?$/.exec(url) ?? [];
  return found === undefined ? null : pageTarget('/docs/errors', section);
}

/**
 * The target of a link in a page of the team: another such page by its name, an external URL, a mail address, or a page
 * of the portal.
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

/** @param section as in a URL, which may encode it */
function pageTarget(page: string, section: string | undefined): LinkTarget {
  if (section === undefined || section === '') return { page };
  try {
    return { page, section: decodeURIComponent(section) };
  } catch {
    return { page };
  }
}
