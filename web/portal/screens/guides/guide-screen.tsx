import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { callLimitsQuery } from '../../api/front.ts';
import { NotFound } from '../../parts/not-found.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import type { MarkdownProps } from '../../markdown/rendered-markdown.tsx';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { GettingStarted } from './getting-started.tsx';
import { errorTable } from './consumer-errors.ts';
import { CONSUMER_ERRORS, SECTIONS } from './guide-texts.ts';
import { LanguageTabs } from '../../reference/view/language-tabs.tsx';
import { guideParts } from './guide-parts.ts';
import { type Guide, guideAddress, GUIDES, withAddress } from './guides.ts';
import styles from './guides.module.css';
import { withLimits } from './limits-in-force.ts';
import { OwnFigures } from './own-figures.tsx';
import { PlanFigures } from './plan-figures.tsx';

const CODES = errorTable(CONSUMER_ERRORS);

/** A page of the documentation. */
export function GuideScreen() {
  const { page } = useParams({ from: '/docs/$page' });
  if (page === 'getting-started') return <GettingStarted />;
  const guide = Object.hasOwn(GUIDES, page) ? GUIDES[page] : undefined;
  if (guide === undefined) return <NotFound />;
  return <OneGuide guide={guide} codes={page === 'errors'} />;
}

function OneGuide({
  guide: { title, sections: names, hasLimits = false },
  codes,
}: {
  readonly guide: Guide;
  readonly codes: boolean;
}) {
  const { apiUrl } = useSite();
  const shownCode = useLocation({ select: ({ hash }) => hash });
  const session = useVisitor();
  const limits = useQuery(callLimitsQuery).data;
  const [only] = names;
  return (
    <Page title={title}>
      <div className={styles.guide}>
        {hasLimits && (session === null ? <PlanFigures /> : <OwnFigures />)}
        {names.length === 1 && (
          <Text text={withLimits(withAddress(SECTIONS.get(only ?? '') ?? '', apiUrl), limits)} level={0} />
        )}
        {names.length > 1 &&
          names.map((name) => (
            <Section key={name} title={name}>
              <Text text={withLimits(withAddress(SECTIONS.get(name) ?? '', apiUrl), limits)} level={1} />
            </Section>
          ))}
        {codes && (
          <Section title="Error codes">
            <p>
              These errors come from the gateway. Services have error codes of their own: the{' '}
              <Link to="/reference">reference</Link> lists them for each operation.
            </p>
            <Text text={CODES} level={2} shownRow={shownCode} />
          </Section>
        )}
      </div>
    </Page>
  );
}

function Text({ text, ...options }: Pick<MarkdownProps, 'text' | 'level' | 'shownRow'>) {
  return (
    <div className={styles.text}>
      {guideParts(text).map((part, index) =>
        // A guide never changes: its parts have no other names than their places.
        part.kind === 'code' ? (
          <LanguageTabs key={index} blocks={part.blocks} />
        ) : (
          <Markdown key={index} text={part.text} {...options} addressOf={guideAddress} />
        ),
      )}
    </div>
  );
}
