/** Finds the operations that a reload adds, removes or changes, and those that it makes public. */
import { isDeepStrictEqual } from 'node:util';
import { toDateTime } from '../base/time.ts';
import type { OperationEffect, OperationName, ReloadEffects } from '../control-plane/system/reload-effects.ts';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { Change, Severity } from '../openapi/diff/change.ts';
import { compareDocuments, formatCall } from '../openapi/diff/compare-documents.ts';
import type { Operation } from '../openapi/openapi.ts';
import { NO_DOCUMENT, type UpstreamDocument } from '../openapi/upstream-document.ts';

type Upstream = Pick<UpstreamConfig, 'name' | 'document'>;

interface OperationEffects {
  /** The most severe ones first. */
  readonly items: readonly OperationEffect[];
  readonly opened: ReloadEffects['opened'];
  readonly incomplete: readonly string[];
}

const SEVERITIES: readonly Severity[] = ['breaking', 'warning', 'compatible'];
const MAX_MESSAGES = 20;

/** Documents that are the same object in both lists are not compared. */
export function compareOperations(before: readonly Upstream[], next: readonly Upstream[]): OperationEffects {
  const names = new Set([...next, ...before].map(({ name }) => name));
  const pairs = [...names].map((name) => ({
    name,
    was: findDocument(before, name),
    is: findDocument(next, name),
  }));
  const changedPairs = pairs.filter(({ was, is }) => was !== is);
  const incomplete: string[] = [];
  const effects = changedPairs.flatMap((pair) => comparePair(pair, incomplete));
  const items = joinMoved(effects).toSorted(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
  return { items, opened: findOpened(pairs), incomplete: [...new Set(incomplete)] };
}

function findDocument(upstreams: readonly Upstream[], name: string): UpstreamDocument {
  return upstreams.find((upstream) => upstream.name === name)?.document ?? NO_DOCUMENT;
}

interface DocumentPair {
  readonly name: string;
  readonly was: UpstreamDocument;
  readonly is: UpstreamDocument;
}

/** @param incomplete gets why changes may be missing */
function comparePair({ name, was, is }: DocumentPair, incomplete: string[]): OperationEffect[] {
  const compared = compareDocuments(was, is);
  if (compared.incomplete !== null) incomplete.push(compared.incomplete);
  const changes = [...compared.changes, ...compareRules(was.operations, is.operations)];
  const byOperation = Map.groupBy(changes, ({ operation }) => operation && `${operation.method} ${operation.path}`);
  return [...byOperation].flatMap(([call, found]): OperationEffect[] => {
    if (call === null) return found.map((change) => toEffect(name, [change]));
    return [toEffect(name, found)];
  });
}

type FoundChange = Pick<Change, 'kind' | 'message' | 'operation' | 'severity'>;

function toEffect(upstream: string, changes: readonly FoundChange[]): OperationEffect {
  const sorted = SEVERITIES.flatMap((severity) => changes.filter((change) => change.severity === severity));
  const kinds = new Set(changes.map(({ kind }) => kind));
  return {
    change: kinds.has('operation_added') ? 'added' : kinds.has('operation_removed') ? 'removed' : 'changed',
    severity: sorted[0]?.severity ?? 'compatible',
    upstream,
    operation: changes[0]?.operation ?? null,
    messages: sorted.slice(0, MAX_MESSAGES).map(({ message }) => message),
  };
}

/** Properties that only the gateway uses, so a comparison of documents for their readers leaves them out. */
const RULES: readonly {
  readonly word: string;
  readonly read: (operation: Operation) => unknown;
  readonly severity: (was: Operation, is: Operation) => Severity;
}[] = [
  {
    word: 'id',
    read: ({ id }) => id,
    severity: () => 'warning',
  },
  {
    word: 'cost',
    read: ({ cost }) => cost,
    severity: (was, is) => (is.cost > was.cost ? 'warning' : 'compatible'),
  },
  {
    word: 'maximum body',
    read: ({ maxBodyBytes }) => (maxBodyBytes === null ? 'the default' : `${maxBodyBytes} bytes`),
    severity: (was, is) => ((is.maxBodyBytes ?? 0) < (was.maxBodyBytes ?? Infinity) ? 'warning' : 'compatible'),
  },
  {
    word: 'timeout',
    read: ({ timeoutMs }) => (timeoutMs === null ? 'the default' : `${timeoutMs} ms`),
    severity: () => 'compatible',
  },
  {
    word: 'validation',
    read: ({ validation }) => validation ?? 'the default',
    severity: (_, is) => (is.validation === 'enforce' ? 'warning' : 'compatible'),
  },
  {
    word: 'tags',
    read: ({ tags }) => (tags.length === 0 ? 'none' : tags.join(', ')),
    severity: () => 'compatible',
  },
  {
    word: 'brownouts',
    read: ({ lifecycle: { brownouts } }) =>
      brownouts.map(({ from, to }) => `${toDateTime(from)} to ${toDateTime(to)}`).join(', ') || 'none',
    severity: () => 'warning',
  },
];
const MAX_VALUE = 100;

function compareRules(before: readonly Operation[], next: readonly Operation[]): FoundChange[] {
  const nextByCall = new Map(next.map((operation) => [formatCall(operation), operation]));
  return before.flatMap((was) => {
    const is = nextByCall.get(formatCall(was));
    if (is === undefined) return [];
    const { id, method, path } = was;
    return RULES.filter(({ read }) => !isDeepStrictEqual(read(was), read(is))).map(
      ({ word, read, severity }): FoundChange => ({
        kind: 'condition_changed',
        severity: severity(was, is),
        operation: { id, method, path },
        message: `The ${word} ${word.endsWith('s') ? 'change' : 'changes'} from ${shorten(read(was))} to ${shorten(read(is))}`,
      }),
    );
  });
}

function shorten(value: unknown): string {
  const text = String(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** Joins the removal of an operation with its addition to another upstream. */
function joinMoved(effects: readonly OperationEffect[]): OperationEffect[] {
  const toCall = ({ operation }: OperationEffect) =>
    operation === null ? '' : `${operation.method} ${operation.path}`;
  const addedByCall = new Map(effects.filter(({ change }) => change === 'added').map((each) => [toCall(each), each]));
  const moved = new Set<OperationEffect>();
  const joined = effects.map((effect): OperationEffect => {
    const target = effect.change === 'removed' ? addedByCall.get(toCall(effect)) : undefined;
    if (target === undefined) return effect;
    moved.add(target);
    return {
      ...effect,
      change: 'changed',
      severity: 'warning',
      messages: [`The upstream changes from ${effect.upstream} to ${target.upstream}`],
    };
  });
  return joined.filter((effect) => !moved.has(effect));
}

/** Finds operations that need no key after the reload, and need one now or do not exist. */
function findOpened(pairs: readonly DocumentPair[]): (OperationName & { readonly upstream: string })[] {
  const changed = pairs.filter(({ was, is }) => was !== is);
  const publicNow = new Set(
    pairs.flatMap(({ was }) => was.operations.filter((operation) => operation.public).map(formatCall)),
  );
  return changed.flatMap(({ name, is }) =>
    is.operations
      .filter((operation) => operation.public && !publicNow.has(formatCall(operation)))
      .map(({ id, method, path }) => ({ id, method, path, upstream: name })),
  );
}
