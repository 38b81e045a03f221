/**
 * The comparison agrees with oasdiff about oasdiff's own pairs of documents (Apache 2.0). `oasdiff-findings.jsonl` holds
 * what oasdiff 1.15.0 says about each pair (`oasdiff changelog BASE REVISION -f json`): the check, its level (3: error,
 * 2: warning, 1: harmless), the operation, the names in its message, and whether a test of oasdiff names the check for this
 * pair. Where these tests are newer than that version, the findings are theirs.
 */
import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../src/openapi/diff/change.ts';
import { compareDocuments } from '../../../src/openapi/diff/compare-documents.ts';
import { corpus, testWithCorpus } from '../../support/corpus.ts';
import { readSound } from './compare.ts';

type Finding = readonly [check: string, level: number, operation: string, names: readonly string[], isTested: 0 | 1];
type Pair = readonly [base: string, revision: string, findings: readonly Finding[]];

const LEVELS: Readonly<Record<Change['severity'], number>> = { compatible: 1, warning: 2, breaking: 3 };

/** Reasons why our result differs for a check and a pair of documents. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'api-security-scope-added': 'a caller whose credential lacks the new scope can be refused, so it is a warning',
  'request-property-pattern-changed': 'the property is readOnly, so callers do not send it',
  'request-body-all-of-added': 'the new part says nothing that the others do not, or adds an optional field',
  'request-property-all-of-added': 'the new part says nothing that the others do not',
  'request-body-all-of-removed': 'the removed part says nothing that the others do not',
  'request-property-all-of-removed': 'the removed part says nothing that the others do not',
  'request-parameter-property-type-changed': 'a number in a parameter is also a text',
  'request-property-any-of-removed': 'an inline schema became a component with the same content',
  'request-body-any-of-removed': 'a component has another name, and the same content',
  'response-body-dependent-required-changed': 'the response has more fields than before, which harms nobody',
  'response-property-dependent-required-changed': 'the response has more fields than before, which harms nobody',
  'response-body-any-of-added':
    'a caller can receive what it does not know, as with oneOf, where oasdiff says the same',
  'response-property-any-of-added': 'a caller can receive what it does not know, as with oneOf',
  'request-body-became-required': 'the body is that of a webhook, which the service always sent',
};

/** Changes that only our comparison reports as breaking or as a warning, by a part of the pair's name. */
const ONLY_OURS: Readonly<Record<string, string>> = {
  api_security: 'a caller without the new credential can be refused',
  'openapi-test1.yaml': 'a caller without the new credential can be refused',
  'media-type-schema': 'a request body without a schema has one now',
  'optional-request-params': 'a parameter was removed, which oasdiff reports for operations but not for paths',
  common_request_parameter_max_items: 'the limit of the items of a list is lower',
  request_parameter_property_enum: 'newer versions of oasdiff report the removed value, too',
  xml_type_compatible: 'oasdiff takes objects and texts in XML for the same',
  add_new_media_type: 'a caller that accepts only the earlier media type fails',
  response_property_any_of: 'a caller can receive what it does not know',
  response_property_one_of: 'a new value in a response is a warning, as elsewhere in oasdiff',
  sub_schema_traversal: 'another condition (if) is a warning, because nobody can say whom it concerns',
};

function nameOperation({ operation, pointer }: Change): string {
  return operation === null ? `POST webhook:${pointer.split('/')[2]}` : `${operation.method} ${operation.path}`;
}

/** True if a change is at the place that a check is about. */
function isAt(check: string, names: readonly string[], { kind, message, pointer }: Change): boolean {
  if (/^api-.*security|^api-.*scope/.test(check)) return kind.startsWith('security');
  if (/^api-.*removed-/.test(check) || check === 'endpoint-added') return kind.startsWith('operation');
  if (check.startsWith('api-')) return false;
  if (check.startsWith('webhook-')) return kind.startsWith('webhook');
  const place = check.includes('response')
    ? /response|the body/i
    : /parameter|request-header/.test(check)
      ? /parameter/
      : /request body|the body/i;
  if (!place.test(message)) return false;
  if (/-body-|media-?type/.test(check)) return true;
  return names.length === 0 || names.some((name) => message.includes(name) || pointer.includes(name));
}

/** Kinds of changes to a whole schema, which also cover changes to its parts. */
const OF_THE_WHOLE = new Set<Change['kind']>(['type_changed', 'alternatives_added', 'alternatives_removed']);

function agrees([check, level, , names]: Finding, changes: readonly Change[], theirs: readonly Finding[]): boolean {
  if (level > 1) {
    return changes.some(({ severity, kind, ...more }) => {
      const isAsSevere = LEVELS[severity] === level || (LEVELS[severity] > level && OF_THE_WHOLE.has(kind));
      const isWhole = OF_THE_WHOLE.has(kind) && !more.message.startsWith('The field');
      return isAsSevere && (isWhole || isAt(check, names, { severity, kind, ...more }));
    });
  }
  const inner = names.filter((name) => name.length > 1 && !/^[\d.]+$/.test(name)).slice(-1);
  return !changes.some(
    (change) =>
      change.severity !== 'compatible' &&
      isAt(check, inner, change) &&
      (!check.includes('body') || !change.message.startsWith('The field')) &&
      !theirs.some(([, other]) => other === LEVELS[change.severity]),
  );
}

testWithCorpus('at least 95 % of the changes between the documents of oasdiff are judged as oasdiff does', () => {
  const lines = readFileSync(join(import.meta.dirname, 'oasdiff-findings.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const pairs = lines.map((line) => JSON.parse(line) as Pair);
  let [total, agreeing] = [0, 0];
  const unexplained: string[] = [];
  const unlike = new Set<string>();
  const checks = new Set<string>();
  const usedReasons = new Set<string>();
  for (const [base, revision, findings] of pairs) {
    const [before, after] = [base, revision].map((file) => readSound(join(corpus, 'oasdiff', file)));
    if (before === undefined || after === undefined) throw new Error('both documents are needed');
    const { changes, incomplete } = compareDocuments(before, after);
    expect(incomplete).toBeNull();
    for (const finding of findings) {
      const [check, level, operation, names, isTested] = finding;
      if (isTested === 0) continue;
      const ofOperation = changes.filter(
        (change) => nameOperation(change) === operation || check.startsWith('webhook-') || !operation.includes('/'),
      );
      const theirs = findings.filter(([, , other]) => other === operation);
      total++;
      checks.add(check);
      if (agrees(finding, ofOperation, theirs)) agreeing++;
      else {
        unlike.add(check);
        if (DIFFERENCES[check] === undefined)
          unexplained.push(`${base} → ${revision}: ${check} (${level}) ${names.join(' ')}`);
      }
    }
    for (const change of changes) {
      if (change.severity === 'compatible') continue;
      const operation = nameOperation(change);
      const isKnown = findings.some(
        ([check, level, other]) =>
          (other === operation || check.startsWith('webhook-')) && level === LEVELS[change.severity],
      );
      if (isKnown) continue;
      const reason = Object.keys(ONLY_OURS).find((part) => base.includes(part) || revision.includes(part));
      if (reason === undefined) unexplained.push(`${base} → ${revision}: only ours: ${change.message}`);
      else usedReasons.add(reason);
    }
  }
  expect(unexplained).toEqual([]);
  expect([...usedReasons].sort()).toEqual(Object.keys(ONLY_OURS).sort());
  expect([...unlike].sort()).toEqual(Object.keys(DIFFERENCES).sort());
  expect([pairs.length, total, checks.size]).toEqual([197, 344, 267]);
  expect(agreeing / total).toBeGreaterThanOrEqual(0.95);
});
