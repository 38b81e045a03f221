import consumers from 'docs/consumers.md?raw';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { Section } from '../../../shared/ui/page/page.tsx';
import { codeBlocks, sectionsOf } from '../../markdown/sections.ts';
import { CodeTabs } from '../../reference/view/code-tabs.tsx';
import styles from './events-screen.module.css';

/** The code from the documentation, whose tests run it. */
const tabs = codeBlocks(sectionsOf(consumers).get('Webhooks') ?? '').map(({ title, text }) => ({
  id: title,
  label: title,
  text,
}));

/** What a service that gets events must do. */
export function HowTheyArrive() {
  const [language, setLanguage] = useState(tabs[0]?.id ?? '');
  return (
    <>
      <Section title="Receiving events">
        <div className={styles.arrive}>
          <p>
            As a <code>POST</code> to your URL, with <code>type</code>, <code>timestamp</code> and <code>data</code> in
            JSON, and three headers:
          </p>
          <dl className={styles.headers}>
            <dt>
              <code>webhook-id</code>
            </dt>
            <dd>Of the event, the same for every attempt. An event may come twice: take each id once.</dd>
            <dt>
              <code>webhook-timestamp</code>
            </dt>
            <dd>When this attempt was made, in seconds since 1970.</dd>
            <dt>
              <code>webhook-signature</code>
            </dt>
            <dd>What tells that it comes from here; two, with a space between them, while a secret is replaced.</dd>
          </dl>
          <p>
            Respond with a status from 200 to 299 within 20 seconds, then process the event.{' '}
            <Link to="/docs/$page" params={{ page: 'webhooks' }}>
              More about receiving events
            </Link>
            .
          </p>
        </div>
      </Section>
      <Section title="Verify the signature">
        <div className={styles.arrive}>
          <p>
            Anybody may call your URL: act on nothing that was not signed with the secret that you got when you added
            the webhook. Give this the body as it came, before anything has parsed it.
          </p>
          <CodeTabs tabs={tabs} chosen={language} onChoose={setLanguage} />
        </div>
      </Section>
    </>
  );
}
