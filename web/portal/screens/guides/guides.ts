import type { LinkTarget } from '../../markdown/safe-address.ts';

export interface Guide {
  readonly title: string;
  /** For search engines and lists. */
  readonly description: string;
  /** Headings of its sections in docs/consumers.md. */
  readonly sections: readonly string[];
  /** Whether the reader's own limits stand above it. */
  readonly hasLimits?: boolean;
}

/** The guides from the documentation, by the last part of their address. */
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

/** The guides with their text, to be searched. @param texts undefined until it is loaded: only titles are then searched */
export function guideTexts(
  texts: ReadonlyMap<string, string> = new Map(),
): readonly { readonly href: string; readonly title: string; readonly text: string }[] {
  return Object.entries(GUIDES).map(([page, { title, sections }]) => ({
    href: `/docs/${page}`,
    title,
    text: sections.map((name) => `## ${name}\n${texts.get(name) ?? ''}`).join('\n'),
  }));
}

/** The target in the portal for a link in the documentation; null for pages that are not for consumers. */
export function guideAddress(url: string): LinkTarget | null {
  if (/^https?:/.test(url)) return { href: url };
  return /^errors\.md(?:#|$)/.test(url) ? { page: '/docs/errors' } : null;
}

/** The target of a link in a page of the team: another page by its name, the web, mail, or a page of the portal. */
export function ownPageAddress(url: string): LinkTarget | null {
  const [, other] = /^(?:\.\/)?([a-z0-9][a-z0-9-]*)\.md(?:#.*)?$/.exec(url) ?? [];
  if (other !== undefined) return { page: `/pages/${other}` };
  if (/^\/(?![/\\])[\w/.-]*$/.test(url)) return { page: url };
  return /^(?:https?|mailto):/i.test(url) ? { href: url } : null;
}
