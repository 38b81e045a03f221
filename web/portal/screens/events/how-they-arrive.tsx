import { useState } from 'react';
import { Section } from '../../../shared/ui/page/page.tsx';
import { CodeTabs } from '../../reference/view/code-tabs.tsx';
import { VERIFY_SAMPLES } from '../../reference/verify/samples.ts';
import styles from './events-screen.module.css';

const tabs = Object.entries(VERIFY_SAMPLES).map(([id, sample]) => ({ id, ...sample }));

/** What a service that gets events must do. */
export function HowTheyArrive() {
  const [language, setLanguage] = useState(tabs[0]?.id ?? '');
  return (
    <>
      <Section title="How they arrive">
        <div className={styles.arrive}>
          <p>
            As a <code>POST</code> to your URL, with <code>type</code>, <code>timestamp</code> and <code>data</code> in
            JSON, and three headers of <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>:
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
            <dd>What tells that it comes from here; several, with a space between them, while a secret is replaced.</dd>
          </dl>
          <p>
            Answer with a status from 200 to 299 within 20 seconds, and do the work afterwards. Anything else is tried
            again, nine times within 3 days; after 5 days without a success the webhook is disabled, a 410 disables it
            at once. Events may come in another order than they happened.
          </p>
        </div>
      </Section>
      <Section title="Verify the signature">
        <div className={styles.arrive}>
          <p>
            Anybody may call your URL: take nothing whose signature was not made with your secret, which you got when
            you added the webhook.
          </p>
          <CodeTabs
            tabs={tabs}
            chosen={language}
            onChoose={setLanguage}
            note={
              <>
                It reads the secret from the environment: <code>export WEBHOOK_SECRET=…</code>
              </>
            }
          />
        </div>
      </Section>
    </>
  );
}
