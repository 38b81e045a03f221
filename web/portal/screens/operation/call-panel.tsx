import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { buildCall, type CallValues, valueName } from '../../reference/call/call.ts';
import type { ApiDocument } from '../../reference/model/document.ts';
import { createFirstBody, createFirstValues, withMediaType } from '../../reference/call/first-values.ts';
import { chosenExample, cutNote } from '../../reference/model/sample-body.ts';
import type { Operation } from '../../reference/model/operation.ts';
import { BODY } from '../../reference/model/places.ts';
import { credentialHeaders } from '../../reference/samples/credential-headers.ts';
import { useExample, useMediaType, useVariants } from '../../reference/view/shared-choices.tsx';
import { ExampleSelect } from '../../reference/view/example-select.tsx';
import { ResponsePanel } from '../../reference/view/response-panel.tsx';
import { Samples } from '../../reference/view/samples.tsx';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { useLanguage } from './language.ts';
import styles from './operation-screen.module.css';
import { Part, TryLink } from './part.tsx';
import { Placeholder } from './placeholder.tsx';

const TryIt = lazyPart(async () => (await import('./try-it.tsx')).TryIt);
const VisitorTry = lazyPart(async () => (await import('./visitor-try.tsx')).VisitorTry);

/** Shows the code of a call, and a form that sends the call. The code contains the values in the form. */
export function CallPanel({ document, operation }: { readonly document: ApiDocument; readonly operation: Operation }) {
  const { apiUrl } = useSite();
  const session = useVisitor();
  const { at } = useSearch({ from: '/reference/$id' });
  const [language, setLanguage] = useLanguage();
  const [values, setValues] = useState(() => createFirstValues(document, operation));
  const list = operation.body?.media ?? [];
  const [mediaType, chooseMediaType] = useMediaType(BODY, list);
  const [example, chooseExample] = useExample(BODY);
  const variants = useVariants();
  if (mediaType !== values.mediaType && values.mediaType !== null) {
    setValues(withMediaType(document, operation.body, values, mediaType, { variants, example }));
  }
  const media = list.find(({ type }) => type === values.mediaType);
  const sample = useMemo(
    () => createFirstBody(document, media, { variants, example }),
    [document, media, variants, example],
  );
  const [lastSample, setLastSample] = useState(sample);
  if (sample !== lastSample) {
    setLastSample(sample);
    // Replace the body only if the user has not changed it.
    if (isAsMade(values, lastSample) && !isAsMade(values, sample)) setValues({ ...values, ...sample });
  }
  const showExample = (name: string) => {
    chooseExample(name);
    setValues({ ...values, ...createFirstBody(document, media, { variants, example: name }) });
  };
  const change = (next: CallValues) => {
    setValues(next);
    if (next.mediaType !== null) chooseMediaType(next.mediaType);
  };
  const call = buildCall(operation, values);
  const missing = operation.parameters.filter(
    (each) => each.in === 'path' && (values.parameters[valueName(each)] ?? '') === '',
  );
  return (
    <div className={styles.panel}>
      <Part at="samples">
        <Samples
          call={{
            ...call,
            headers: [...call.headers, ...credentialHeaders(operation.serviceCredentials, call.headers)],
            apiUrl,
            needsKey: operation.needsKey,
          }}
          language={language}
          cut={media === undefined ? null : cutNote(document, media, 'Body')}
          onLanguage={setLanguage}
          example={
            media !== undefined &&
            media.examples.length > 1 && (
              <div className={styles.example}>
                <ExampleSelect
                  examples={media.examples}
                  shown={chosenExample(document, media, { variants, example })}
                  onChoose={showExample}
                />
              </div>
            )
          }
          link={<TryLink />}
          placeholders={{ names: missing.map(({ name }) => name), Placeholder }}
        />
      </Part>
      {session === null && at === 'try' && (
        <Part at="try">
          <VisitorTry operationId={operation.id} />
        </Part>
      )}
      {session !== null && (
        <Part at="try">
          <TryIt
            document={document}
            operation={operation}
            values={values}
            call={call}
            onValues={change}
            onMediaType={chooseMediaType}
          />
        </Part>
      )}
      {operation.responses.length > 0 && (
        <ResponsePanel document={document.without('writeOnly')} responses={operation.responses} />
      )}
    </div>
  );
}

function isAsMade({ body, form }: CallValues, sample: Pick<CallValues, 'body' | 'form'>): boolean {
  return body === sample.body && JSON.stringify(form) === JSON.stringify(sample.form);
}
