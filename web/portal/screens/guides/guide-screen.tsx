import consumers from 'docs/consumers.md?raw';
import errors from 'docs/errors.md?raw';
import { useParams } from '@tanstack/react-router';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { sectionsOf } from '../../markdown/sections.ts';
import { useSite } from '../../session/session-context.ts';
import { GettingStarted } from './getting-started.tsx';
import { type Guide, guideAddress, GUIDES, withAddress } from './guides.ts';
import styles from './guides.module.css';

const sections = sectionsOf(consumers);
const CODES = sectionsOf(errors).get('Errors of API calls') ?? '';

/** A page of the documentation. */
export function GuideScreen() {
  const { page } = useParams({ from: '/docs/$page' });
  if (page === 'getting-started') return <GettingStarted />;
  const guide = Object.hasOwn(GUIDES, page) ? GUIDES[page] : undefined;
  if (guide === undefined) return <NotFound />;
  return <OneGuide guide={guide} codes={page === 'errors'} />;
}

function OneGuide({ guide: { title, sections: names }, codes }: { readonly guide: Guide; readonly codes: boolean }) {
  const { apiUrl } = useSite();
  const [only] = names;
  return (
    <Page title={title}>
      <div className={styles.guide}>
        {names.length === 1 && <Text text={withAddress(sections.get(only ?? '') ?? '', apiUrl)} level={0} />}
        {names.length > 1 &&
          names.map((name) => (
            <Section key={name} title={name}>
              <Text text={withAddress(sections.get(name) ?? '', apiUrl)} level={1} />
            </Section>
          ))}
        {codes && (
          <Section title="Every code">
            <Text text={CODES} level={2} />
          </Section>
        )}
      </div>
    </Page>
  );
}

function Text({ text, level }: { readonly text: string; readonly level: number }) {
  return <Markdown text={text} level={level} addressOf={guideAddress} />;
}
