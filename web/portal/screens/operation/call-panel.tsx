import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { buildCall } from '../../reference/call/call.ts';
import type { ApiDocument } from '../../reference/model/document.ts';
import { firstValues } from '../../reference/call/first-values.ts';
import { cutNote } from '../../reference/model/sample-body.ts';
import type { Operation } from '../../reference/model/operation.ts';
import { credentialHeaders } from '../../reference/samples/credential-headers.ts';
import { ResponsePanel } from '../../reference/view/response-panel.tsx';
import { Samples } from '../../reference/view/samples.tsx';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { useLanguage } from './language.ts';
import styles from './operation-screen.module.css';
import { Part, PartLink } from './part.tsx';

const TryIt = lazyPart(async () => (await import('./try-it.tsx')).TryIt);

/** The call as code, and a form that sends it. Both follow the values in the form. */
export function CallPanel({ document, operation }: { readonly document: ApiDocument; readonly operation: Operation }) {
  const { apiUrl } = useSite();
  const session = useVisitor();
  const [language, setLanguage] = useLanguage();
  const [values, setValues] = useState(() => firstValues(document, operation));
  const call = buildCall(operation, values);
  const media = operation.body?.media.find(({ type }) => type === values.mediaType);
  return (
    <div className={styles.panel}>
      <Part at="samples">
        <Samples
          call={{
            ...call,
            headers: [...call.headers, ...credentialHeaders(operation.serviceCredentials)],
            apiUrl,
            needsKey: operation.needsKey,
          }}
          language={language}
          cut={media === undefined ? null : cutNote(document, media, 'Body')}
          onLanguage={setLanguage}
          link={<PartLink at="samples" label="Link to the code" />}
        />
      </Part>
      {operation.answers.length > 0 && (
        <ResponsePanel document={document.without('writeOnly')} answers={operation.answers} />
      )}
      {session === null ? (
        <p className={styles.invitation}>
          <Link to="/sign-in">Sign in</Link> to send this request from here.
        </p>
      ) : (
        <Part at="try">
          <TryIt document={document} operation={operation} values={values} call={call} onValues={setValues} />
        </Part>
      )}
    </div>
  );
}
