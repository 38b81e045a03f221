import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { headingId } from '../../markdown/headings.ts';
import { createLinkedHeadings, LinkedHeading } from '../../markdown/linked-heading.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import type { MarkdownProps } from '../../markdown/rendered-markdown.tsx';
import { useVisitor } from '../../session/session-context.ts';
import { GettingStarted } from './getting-started.tsx';
import { errorTable } from './consumer-errors.ts';
import { errorsQuery, sectionsQuery } from './guide-texts.ts';
import { LanguageTabs } from '../../reference/view/language-tabs.tsx';
import { guideParts } from './guide-parts.ts';
import { type Guide, guideAddress, GUIDES, guideSections } from './guides.ts';
import { OnThisPage } from './on-this-page.tsx';
import styles from './guides.module.css';

const OwnFigures = lazyPart(async () => (await import('./own-figures.tsx')).OwnFigures);
const PlanFigures = lazyPart(async () => (await import('./plan-figures.tsx')).PlanFigures);

export function GuideScreen() {
  const { page } = useParams({ from: '/docs/$page' });
  if (page === 'getting-started') return <GettingStarted />;
  const guide = Object.hasOwn(GUIDES, page) ? GUIDES[page] : undefined;
  if (guide === undefined) return <NotFound />;
  return <OneGuide page={page} guide={guide} />;
}

interface GuideProps {
  /** The last segment of the guide's URL. */
  readonly page: string;
  readonly guide: Guide;
}

function OneGuide({ page, guide: { title, sections: names, hasLimits = false } }: GuideProps) {
  const hasCodes = page === 'errors';
  const session = useVisitor();
  const texts = useQuery(sectionsQuery);
  return (
    <Page title={title}>
      <div className={styles.page}>
        <div className={styles.guide}>
          {hasLimits && (session === null ? <PlanFigures /> : <OwnFigures />)}
          {texts.isPending && <Loading label="Loading the guide" />}
          {texts.isError && <ReadFailure query={texts} what="the guide" />}
          {texts.data !== undefined && <Sections names={names} texts={texts.data} />}
          {hasCodes && <ErrorCodes />}
        </div>
        {texts.data !== undefined && (
          <OnThisPage sections={[...guideSections(page, texts.data), ...(hasCodes ? [CODES] : [])]} />
        )}
      </div>
    </Page>
  );
}

function Sections({
  names,
  texts,
}: {
  readonly names: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}) {
  const [only] = names;
  if (only !== undefined && names.length === 1) return <Text text={texts.get(only) ?? ''} level={0} />;
  return names.map((name) => (
    <GuideSection key={name} title={name}>
      <Text text={texts.get(name) ?? ''} level={1} />
    </GuideSection>
  ));
}

const CODES = { id: headingId('Error codes'), title: 'Error codes' };

function ErrorCodes() {
  const errors = useQuery(errorsQuery);
  const shownRow = useLocation({ select: ({ hash }) => hash });
  return (
    <GuideSection title={CODES.title}>
      <p>
        These errors come from the gateway. Services have error codes of their own: the{' '}
        <Link to="/reference">reference</Link> lists them for each operation.
      </p>
      {errors.isPending && <Loading label="Loading the error codes" />}
      {errors.isError && <ReadFailure query={errors} what="the error codes" />}
      {errors.data !== undefined && <Text text={errorTable(errors.data)} level={2} shownRow={shownRow} />}
    </GuideSection>
  );
}

function GuideSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={styles.text}>
      <LinkedHeading level={2} id={headingId(title)} title={title} />
      {children}
    </section>
  );
}

function Text({ text, ...options }: Pick<MarkdownProps, 'text' | 'level' | 'shownRow'>) {
  return (
    <div className={styles.text}>
      {guideParts(text).map((part, index) =>
        // A guide never changes, so the position of a part can be its React key.
        part.kind === 'code' ? (
          <LanguageTabs key={index} blocks={part.blocks} />
        ) : (
          <Markdown
            key={index}
            text={part.text}
            {...options}
            addressOf={guideAddress}
            createHeadings={createLinkedHeadings}
          />
        ),
      )}
    </div>
  );
}
