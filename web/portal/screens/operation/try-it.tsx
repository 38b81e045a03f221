import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';
import { useNow } from '../../../shared/ui/data/time.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { type Key, keysQuery, formatKeyLabel } from '../../api/keys.ts';
import { NotSent, type TriedCall, tryCall, describeFailure } from '../../api/tried-call.ts';
import { brokenJson } from '../../reference/call/broken-json.ts';
import type { Call, CallValues } from '../../reference/call/call.ts';
import { createSentBody } from '../../reference/call/sent-body.ts';
import { type ServiceHeader, serviceHeaders } from '../../reference/call/service-headers.ts';
import type { ApiDocument } from '../../reference/model/document.ts';
import type { Operation } from '../../reference/model/operation.ts';
import { useSession } from '../../session/session-context.ts';
import { addTry, readTries } from '../../reference/call/tries.ts';
import { OwnTries } from './own-tries.tsx';
import { TriedResponse } from './answer-view.tsx';
import { CallFields } from './call-fields.tsx';
import styles from './operation-screen.module.css';

const FormDialog = lazyPart(async () => (await import('../../parts/form-dialog.tsx')).FormDialog);

interface Props {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly values: CallValues;
  readonly call: Call;
  readonly onValues: (values: CallValues) => void;
  readonly onMediaType: (type: string) => void;
}

/** A call that was or is being sent. */
interface Attempt {
  readonly keyId: string;
  readonly call: Call;
  readonly values: CallValues;
  readonly secrets: Secrets;
}

/** The credentials that the user entered, by header name. */
type Secrets = ReadonlyMap<string, string>;

/**
 * The storage key for the id of the key that was selected last. It stays selected for other operations until the tab is
 * closed.
 */
const CHOSEN_AS = 'tollgate-tried-key';
const GATEWAY_PREFIX = '/_gateway/';
const CREDENTIAL = 'Required by the service itself. It is not stored.';

/** A form that sends the call through the gateway with one of the user's keys. The call is charged like any other. */
export function TryIt(props: Props) {
  const obstacle = obstacleTo(props.operation);
  if (obstacle === null) return <TryForm {...props} />;
  return (
    <section aria-label="Try it" className={styles.panel}>
      <div className={styles.form}>
        <h2>Try it</h2>
        <p>{obstacle}</p>
      </div>
    </section>
  );
}

/** Says why the operation cannot be tried. Null if it can. */
function obstacleTo({ method, path, missingFrom }: Operation): string | null {
  if (missingFrom !== null) return 'Your plan or key does not include this operation, so you cannot try it.';
  const isAction = path.startsWith(GATEWAY_PREFIX) && method !== 'GET';
  return isAction ? 'This cannot be called from the portal. Use the action under “Keys” instead.' : null;
}

function TryForm({ document, operation, values, call, onValues, onMediaType }: Props) {
  const queries = useQueryClient();
  const keys = useWorkingKeys();
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(CHOSEN_AS) ?? '');
  const [isAsking, setAsking] = useState(false);
  const credentials = serviceHeaders(operation.serviceCredentials);
  const [secrets, setSecrets] = useState<Secrets>(new Map());
  const { session } = useSession();
  const [tries, setTries] = useState(() => readTries(sessionStorage, session.id));
  const keyId = keys?.some(({ id }) => id === chosen) === true ? chosen : keys?.[0]?.id;
  const attempt = useMutation({
    mutationFn: async (sent: Attempt) => {
      const given = credentialsIn(sent.secrets, credentials);
      const names = new Set(given.map(([name]) => name.toLowerCase()));
      const headers = [...sent.call.headers.filter(([name]) => !names.has(name.toLowerCase())), ...given];
      return tryCall(await withoutCookie({ ...sent.call, headers }, sent.values, sent.keyId));
    },
    onSuccess: ({ status, durationMs }, sent) => {
      const { id: operationId, method } = operation;
      const made = { operationId, method, path: sent.call.path, status, durationMs, values: sent.values };
      setTries(addTry(sessionStorage, session.id, made));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['usage'] }),
  });
  const deletes = operation.method === 'DELETE';
  const send = () => {
    if (keyId !== undefined) attempt.mutate({ keyId, call, values, secrets });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (deletes) setAsking(true);
    else send();
  };
  const choose = (id: string) => {
    sessionStorage.setItem(CHOSEN_AS, id);
    setChosen(id);
  };
  // Hide the response once the values have changed, because it would be mistaken for the response to the new values.
  const isCurrentAttempt = attempt.variables?.values === values && attempt.variables.secrets === secrets;
  return (
    <section aria-label="Try it" className={styles.panel}>
      <form className={styles.form} onSubmit={submit}>
        <h2>Try it</h2>
        {credentials.map(({ name, scheme }) => (
          <TextField
            key={name}
            label={name}
            type="password"
            optional
            autoComplete="off"
            hint={scheme === undefined ? CREDENTIAL : `${CREDENTIAL} Leave out the word ${scheme}.`}
            value={secrets.get(name) ?? ''}
            onChange={(text) => setSecrets(new Map(secrets).set(name, text))}
          />
        ))}
        <CallFields
          document={document}
          operation={operation}
          values={values}
          onValues={onValues}
          onMediaType={onMediaType}
        />
        {keys?.length === 0 ? (
          <p>
            <Link to="/keys">Create a key</Link> to send this request.
          </p>
        ) : (
          <SelectField
            label="Key"
            hint={describeCost(operation)}
            value={keyId ?? ''}
            options={(keys ?? []).map((key) => ({ value: key.id, label: formatKeyLabel(key) }))}
            onChange={choose}
          />
        )}
        <Button
          kind={deletes ? 'danger' : 'primary'}
          type="submit"
          icon={Send}
          disabled={keyId === undefined || attempt.isPending || brokenJson(values) !== null}
        >
          {attempt.isPending ? 'Sending…' : `Send ${operation.method}`}
        </Button>
      </form>
      {isAsking && (
        <FormDialog
          title="Delete live data?"
          submit="Send DELETE"
          kind="danger"
          action={async () => send()}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        >
          <p>
            This sends <code>DELETE {call.path}</code> to the live API. You may not be able to undo this.
          </p>
        </FormDialog>
      )}
      {isCurrentAttempt && attempt.error !== null && (
        <Note tone="failed">
          <span role="alert">{describeFailure(attempt.error)}</span>
        </Note>
      )}
      {isCurrentAttempt && attempt.data !== undefined && <TriedResponse response={attempt.data} />}
      <OwnTries tries={tries} operationId={operation.id} onValues={onValues} />
    </section>
  );
}

function describeCost({ path, cost }: Operation): string {
  if (path.startsWith(GATEWAY_PREFIX)) return 'This calls the live API, and does not count against your quota.';
  return `This calls the live API, and uses ${pluralize(cost, 'unit')} of the key’s quota.`;
}

function credentialsIn(secrets: Secrets, headers: readonly ServiceHeader[]): Call['headers'] {
  return headers.flatMap(({ name, scheme }) => {
    const secret = secrets.get(name)?.trim() ?? '';
    return secret === '' ? [] : [[name, scheme === undefined ? secret : `${scheme} ${secret}`] as const];
  });
}

/** Converts a call to the request that the portal's API makes. Cookies are left out. */
async function withoutCookie(
  { method, path, headers, body: given }: Call,
  values: CallValues,
  keyId: string,
): Promise<TriedCall> {
  const { contentType, ...body } = await createSentBody(given, values.files ?? {}).catch((error: unknown) => {
    throw new NotSent((error as Error).message);
  });
  const all = contentType === null ? headers : [...headers, ['Content-Type', contentType] as const];
  return { keyId, method, path, headers: Object.fromEntries(all), ...body };
}

/** The keys with which calls can be tried. Undefined until they are loaded. */
function useWorkingKeys(): readonly Key[] | undefined {
  const keys = useQuery(keysQuery).data?.items;
  const now = useNow();
  return keys?.filter(
    ({ kind, status, expiresAt }) =>
      kind !== 'token' && status === 'active' && (expiresAt === null || Date.parse(expiresAt) > now),
  );
}
