import { sectionsOf } from '../../markdown/sections.ts';
import { type ConsumerError, consumerErrors, errorTable } from './consumer-errors.ts';
import { GUIDES } from './guides.ts';

/** A guide in Markdown, for programs that read it. The build writes these beside the pages. */
export interface GuidePage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Without the title. Examples call the API at `http://127.0.0.1:8080`. */
  readonly markdown: string;
}

/** What the gateway may respond to a call with. @param errors docs/errors.md */
export function apiErrors(errors: string): readonly ConsumerError[] {
  return consumerErrors(sectionsOf(errors).get('API errors') ?? '');
}

/**
 * @param consumers docs/consumers.md
 * @param errors docs/errors.md
 */
export function guidePages(consumers: string, errors: string): readonly GuidePage[] {
  const texts = sectionsOf(consumers);
  const codes = errorTable(apiErrors(errors));
  return Object.entries(GUIDES).map(([name, { title, description, sections }]) => {
    const [only] = sections;
    const parts = sections.map((section) => `## ${section}\n\n${texts.get(section) ?? ''}`);
    const text = sections.length === 1 ? (texts.get(only ?? '') ?? '') : parts.join('\n\n');
    const markdown = name === 'errors' ? `${text}\n\n## Every code\n\n${codes}` : text;
    return { name, title, description, markdown };
  });
}
