import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import { GETTING_STARTED, type Guides } from './guides.ts';
import type { TeamPages } from './team-pages.ts';
import type { FoundPage } from './page-list.ts';
import { describeApi, nameOperation, type Outline } from './outline.ts';
import { extractFirstParagraph } from './plain-text.ts';

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
export function createPageHeadFactory(dependencies: PageHeadDependencies): (page: FoundPage) => PageHead {
  const { outline, guides, teamPages, eventTypes } = dependencies;
  const apiDescription = describeApi(dependencies.description, outline);
  const fixedTitles: Readonly<Record<string, string | null>> = {
    '': null,
    'sign-in': 'Sign in',
    access: 'Get access',
    plans: 'Plans',
    reference: 'Reference',
    events: 'Events',
  };
  const missingPage: PageHead = { title: 'Not found', description: null, exists: false };

  return function createHead({ page, name }) {
    if (Object.hasOwn(fixedTitles, page))
      return { title: fixedTitles[page] ?? null, description: apiDescription, exists: true };
    if (page === 'docs/{}') {
      const guide = name === 'getting-started' ? GETTING_STARTED : guides.get(name);
      return guide === undefined ? missingPage : { ...guide, exists: true };
    }
    if (page === 'pages/{}') {
      const teamPage = teamPages.get(name);
      return teamPage === undefined ? missingPage : { ...teamPage, exists: true };
    }
    if (page === 'events/{}') {
      const type = eventTypes().find((each) => each.name === name && each.audience !== 'operators');
      return type === undefined ? missingPage : { title: name, description: type.summary, exists: true };
    }
    const operation = outline.operations.get(name);
    if (operation === undefined) return missingPage;
    const { method, path, description } = operation;
    const text = extractFirstParagraph(description ?? '', MAX_DESCRIPTION);
    return { title: nameOperation(operation), description: text === '' ? `${method} ${path}` : text, exists: true };
  };
}
