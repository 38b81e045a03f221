import consumers from 'docs/consumers.md?raw';
import errors from 'docs/errors.md?raw';
import { sectionsOf } from '../../markdown/sections.ts';
import { apiErrors } from './guide-pages.ts';
import { GUIDES } from './guides.ts';

/** The sections of the page for consumers, by their headings. */
export const SECTIONS = sectionsOf(consumers);

/** What the gateway may answer a call with. */
export const CONSUMER_ERRORS = apiErrors(errors);

/** The guides with their text, to be searched. */
export const GUIDE_TEXTS = Object.entries(GUIDES).map(([page, { title, sections }]) => ({
  href: `/docs/${page}`,
  title,
  text: sections.map((name) => `## ${name}\n${SECTIONS.get(name) ?? ''}`).join('\n'),
}));
