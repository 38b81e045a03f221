import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { codeBlocks } from '../../markdown/sections.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { LanguageTabs } from '../../reference/view/language-tabs.tsx';
import { sectionsQuery } from '../guides/guide-texts.ts';
import { GuideLink } from '../../markdown/guide-link.tsx';
import styles from './events-screen.module.css';

/** Explains what a service that receives events must do. */
export function HowTheyArrive() {
  return (
    <>
      <Section title="Receiving events">
        <div className={styles.arrive}>
          <p>
            Each event is sent to your URL as a <code>POST</code> with <code>type</code>, <code>timestamp</code> and{' '}
            <code>data</code> in JSON, and three headers:
          </p>
          <dl className={styles.headers}>
            <dt>
              <code>webhook-id</code>
            </dt>
            <dd>The id of the event. It is the same for every attempt: use it to skip duplicates.</dd>
            <dt>
              <code>webhook-timestamp</code>
            </dt>
            <dd>The time of this attempt (Unix time in seconds).</dd>
            <dt>
              <code>webhook-signature</code>
            </dt>
            <dd>
              Proves that this API sent the event. While you rotate a secret, it has two signatures, separated by a
              space.
            </dd>
          </dl>
          <p>
            Respond with a status from 200 to 299 within 20 seconds, then process the event.{' '}
            <GuideLink page="webhooks">More about receiving events</GuideLink>.
          </p>
        </div>
      </Section>
      <Section title="Verify the signature">
        <div className={styles.arrive}>
          <p>
            Anyone can send requests to your URL, so reject those without a valid signature. Pass this function the
            secret of the webhook, the headers, and the raw body, before any parsing.
          </p>
          <VerifyingCode />
        </div>
      </Section>
    </>
  );
}

/** Code that verifies a delivery. It is taken from the documentation, whose tests run it. */
function VerifyingCode() {
  const texts = useQuery(sectionsQuery);
  const blocks = useMemo(() => codeBlocks(texts.data?.get('Webhooks') ?? ''), [texts.data]);
  if (texts.isError) return <ReadFailure query={texts} what="the code" />;
  return texts.isPending ? <Loading label="Loading the code" /> : <LanguageTabs blocks={blocks} />;
}
