import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts, Section } from '../../../shared/ui/page/page.tsx';
import { type RefusedCaller, type TokenIssuer, tokensQuery } from '../../api/tokens.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import { PlanLink } from '../../parts/plan-link.tsx';
import parts from '../../parts/parts.module.css';
import styles from './token-issuers.module.css';

type Verifications = TokenIssuer['verifications'];

/**
 * Lists the issuers of access tokens, with the results of verifying their tokens on this gateway. Renders nothing if no
 * issuers are configured.
 */
export function TokenIssuers() {
  const tokens = useQuery(tokensQuery);
  if (tokens.data === undefined) {
    return tokens.isError ? <ReadFailure query={tokens} what="the issuers of access tokens" /> : null;
  }
  const { gateway, items } = tokens.data;
  if (items.length === 0) return null;
  return (
    <Section
      title="Access tokens"
      aside={
        <Link to="/keys" search={{ kind: 'token' }}>
          All callers
        </Link>
      }
    >
      {items.map((issuer) => (
        <Issuer key={issuer.name} issuer={issuer} host={gateway.host} />
      ))}
    </Section>
  );
}

function Issuer({ issuer, host }: { readonly issuer: TokenIssuer; readonly host: string }) {
  const { name, audience, caller, verifications } = issuer;
  return (
    <section className={styles.issuer} aria-label={`Access tokens of ${name}`}>
      <h3 className={styles.name}>
        {name} <KeysState state={issuer.keys.state} />
      </h3>
      <Facts>
        <Fact name="Issuer" isWide>
          <bdi className={styles.long}>{issuer.issuer}</bdi>
        </Fact>
        <Fact name="Keys" isWide={issuer.keys.failure !== null}>
          <Keys keys={issuer.keys} />
        </Fact>
        <Fact name="Callers">
          <Callers issuer={issuer} />
        </Fact>
        <Fact name="Audience">
          <bdi className={styles.long}>{audience.join(', ')}</bdi>
        </Fact>
        <Fact name="Claims that name callers">{caller.join(', ')}</Fact>
        <Fact name="New callers">
          {issuer.register ? (
            <>
              created by their first token, on the plan <PlanLink id={issuer.plan} />
            </>
          ) : (
            'only those that operators add'
          )}
        </Fact>
      </Facts>
      <Found verifications={verifications} host={host} />
    </section>
  );
}

const LOOKS = {
  ready: { tone: 'usual', icon: CircleCheck },
  degraded: { tone: 'refused', icon: TriangleAlert },
  away: { tone: 'failed', icon: CircleAlert },
  unknown: { tone: 'neutral', icon: CircleHelp },
} as const;

function KeysState({ state }: Pick<TokenIssuer['keys'], 'state'>) {
  const word = state === 'unknown' ? 'Keys not fetched yet' : `Keys: ${findStateWord(state).toLowerCase()}`;
  return <Badge {...LOOKS[state]}>{word}</Badge>;
}

function Keys({ keys: { count: keys, algorithms, fetchedAt, failure } }: Pick<TokenIssuer, 'keys'>) {
  return (
    <>
      {fetchedAt === null ? (
        'never fetched'
      ) : (
        <>
          {pluralize(keys, 'key')}
          {algorithms.length > 0 ? ` (${algorithms.join(', ')})` : ', none for the configured algorithms'}, fetched{' '}
          <Time at={fetchedAt} />
        </>
      )}
      {failure !== null && (
        <span className={parts.below}>
          <span className={styles.long}>
            first failed <Time at={failure.since} />: <bdi>{failure.reason}</bdi>
          </span>
        </span>
      )}
    </>
  );
}

function Callers({ issuer: { name, callers, maxCallers } }: { readonly issuer: TokenIssuer }) {
  return (
    <>
      <Link to="/keys" search={{ token: name }} className={parts.inText}>
        {callers === null ? 'More than 200,000' : formatCount(callers)}
      </Link>{' '}
      of at most {formatCount(maxCallers)}
    </>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  /** True if the row gives a reason for the outcome above it. */
  readonly isReason: boolean;
  /** Null for reasons, of which the gateway counts only the total. */
  readonly lastHour: number | null;
  readonly total: number;
}

const columns: readonly Column<Row>[] = [
  {
    id: 'outcome',
    header: 'Tokens',
    cell: ({ name, isReason }) => (isReason ? <span className={styles.reason}>{name}</span> : name),
  },
  {
    id: 'hour',
    header: 'Last hour',
    numeric: true,
    width: '104px',
    cell: ({ lastHour }) => (lastHour === null ? '' : formatCount(lastHour)),
  },
  { id: 'total', header: 'Total', numeric: true, width: '104px', cell: ({ total }) => formatCount(total) },
];

function Found({ verifications, host }: { readonly verifications: Verifications; readonly host: string }) {
  const { since, lastHour, total } = verifications;
  const isYoung = lastHour.since === since;
  const counted = (
    <p className={parts.none}>
      The gateway on <bdi>{host}</bdi> has counted these since it started, <Time at={since} />.
      {isYoung && ' Its last hour is not complete yet.'}
    </p>
  );
  if (Object.values(total).every((requests) => requests === 0)) {
    return (
      <>
        <p>
          No token of this issuer has been received yet. The gateway verifies only tokens whose <code>iss</code> is
          exactly this issuer, and passes others on to the service.
        </p>
        {counted}
      </>
    );
  }
  return (
    <>
      <DataTable
        caption="Results of the verifications"
        columns={columns}
        rows={listOutcomes(verifications)}
        rowId={({ id }) => id}
      />
      {counted}
    </>
  );
}

const REFUSED_CALLERS: Readonly<Record<RefusedCaller, string>> = {
  not_registered: 'the caller is not registered (register: false)',
  too_many: 'the issuer already has maxCallers callers',
  owner_taken: 'someone else already uses the owner',
  account_disabled: 'the account of the caller is disabled',
  no_plan: 'the plan of the caller does not exist or is custom',
  too_fast: 'more new callers in a minute than the gateway creates',
  deleted: 'the caller was deleted at the same moment',
};

/** Lists the outcomes of the verifications, each followed by the reasons for it. */
function listOutcomes({ total, lastHour: { counts }, invalid, refusedCallers }: Verifications): readonly Row[] {
  const row = (id: keyof typeof total, name: string): Row => {
    return { id, name, isReason: false, lastHour: counts[id], total: total[id] };
  };
  const refused = refusedCallers.reduce((sum, each) => sum + each.count, 0);
  const valid = {
    ...row('verified', 'Valid'),
    lastHour: counts.verified + counts.remembered,
    total: total.verified + total.remembered,
  };
  const rows: readonly (Row | readonly Row[])[] = [
    valid,
    refused === 0
      ? []
      : refusedCallers.map((each) => createReasonRow(`Refused: ${REFUSED_CALLERS[each.reason]}`, each.count)),
    row('token_expired', 'Expired'),
    row('token_invalid', 'Not valid'),
    invalid.map((each) => createReasonRow(`The token ${each.reason}`, each.count)),
    row('token_keys_unavailable', 'Keys of the issuer unavailable'),
    row('overloaded', 'Too many at once'),
  ];
  return rows.flat();
}

function createReasonRow(name: string, total: number): Row {
  return { id: name, name, isReason: true, lastHour: null, total };
}
