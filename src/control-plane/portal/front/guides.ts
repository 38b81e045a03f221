import { readFile } from 'node:fs/promises';

/** A guide of the portal, as the build writes it (`web/portal/screens/guides/guide-pages.ts`). */
export interface Guide {
  readonly title: string;
  readonly description: string;
  /** Examples call the API at `http://127.0.0.1:8080`. */
  readonly markdown: string;
}

/** By name, in the order of the navigation. */
export type Guides = ReadonlyMap<string, Guide>;

/** The first guide, whose text depends on the API. */
export const GETTING_STARTED = {
  title: 'Getting started',
  description: 'Make a first request in a few minutes.',
};

/** @returns none if they were not built */
export async function readGuides(file: string): Promise<Guides> {
  try {
    const pages = JSON.parse(await readFile(file, 'utf8')) as readonly (Guide & { readonly name: string })[];
    return new Map(pages.map((page) => [page.name, page]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}
