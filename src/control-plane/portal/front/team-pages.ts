import { extractFirstParagraph } from './plain-text.ts';

/** A page of the team, from `portal.pages`. */
interface TeamPage {
  readonly title: string;
  /** The first paragraph of the page; null if it has none. */
  readonly description: string | null;
  /** Without the title. */
  readonly markdown: string;
}

/** Pages by name, in the order of the files. */
export type TeamPages = ReadonlyMap<string, TeamPage>;

const MAX_DESCRIPTION = 200;

export function describePages(
  pages: readonly { readonly name: string; readonly title: string; readonly markdown: string }[],
): TeamPages {
  return new Map(
    pages.map(({ name, title, markdown }) => {
      const description = extractFirstParagraph(markdown, MAX_DESCRIPTION);
      return [name, { title, description: description === '' ? null : description, markdown }];
    }),
  );
}
