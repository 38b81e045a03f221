import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import { GETTING_STARTED, type Guides } from './guides.ts';
import type { TeamPages } from './team-pages.ts';
import type { FoundPage } from './page-list.ts';
import { describeApi, nameOperation, type Outline } from './outline.ts';
import { firstParagraph } from './plain-text.ts';

/** The static part of a page's HTML, for search engines and link previews. */
export interface PageHead {
  /** Without the name of the site. */
  readonly title: string | null;
  readonly description: string | null;
  /** Whether there is an operation, event, guide or page of the team with the name in the page's address. */
  readonly exists: boolean;
}

interface PageHeadDependencies {
  readonly outline: Outline;
  /** `portal.description`. */
  readonly description: string | null;
  readonly guides: Guides;
  readonly teamPages: TeamPages;
  readonly eventTypes: () => readonly EventTypeInfo[];
}

const MAX_DESCRIPTION = 200;

/** @returns a function that creates the head of a page that everybody may read */
export function createPageHeads(dependencies: PageHeadDependencies): (page: FoundPage) => PageHead {
  const { outline, guides, teamPages, eventTypes } = dependencies;
  const about = describeApi(dependencies.description, outline);
  const fixed: Readonly<Record<string, string | null>> = {
    '': null,
    'sign-in': 'Sign in',
    access: 'Get access',
    plans: 'Plans',
    reference: 'Reference',
    events: 'Events',
  };
  const missing: PageHead = { title: 'Not found', description: null, exists: false };

  return function headOf({ page, name }) {
    if (Object.hasOwn(fixed, page)) return { title: fixed[page] ?? null, description: about, exists: true };
    if (page === 'docs/{}') {
      const guide = name === 'getting-started' ? GETTING_STARTED : guides.get(name);
      return guide === undefined ? missing : { ...guide, exists: true };
    }
    if (page === 'pages/{}') {
      const own = teamPages.get(name);
      return own === undefined ? missing : { ...own, exists: true };
    }
    if (page === 'events/{}') {
      const type = eventTypes().find((each) => each.name === name && each.audience !== 'operators');
      return type === undefined ? missing : { title: name, description: type.summary, exists: true };
    }
    const operation = outline.operations.get(name);
    if (operation === undefined) return missing;
    const { method, path, description } = operation;
    const text = firstParagraph(description ?? '', MAX_DESCRIPTION);
    return { title: nameOperation(operation), description: text === '' ? `${method} ${path}` : text, exists: true };
  };
}
