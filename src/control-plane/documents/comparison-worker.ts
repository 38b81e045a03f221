/**
 * Compares a document with the one in force. It runs in a thread, because documents may have 24 MB and take seconds to
 * parse.
 */
import { isUtf8 } from 'node:buffer';
import { parentPort } from 'node:worker_threads';
import { Faults } from '../../base/configuration-faults.ts';
import { isObject } from '../../base/json.ts';
import { lowerThreadPriority } from '../../base/thread-priority.ts';
import type { ErrorDetail } from '../../base/error-details.ts';
import { compareDocuments } from '../../openapi/diff/compare-documents.ts';
import type { Change, Severity } from '../../openapi/diff/change.ts';
import { parseUpstreamDocument, type UpstreamDocument } from '../../openapi/upstream-document.ts';
import type { AskedComparison, ComparedDocuments, ComparisonMessage, ThreadMessage } from './comparison-messages.ts';

/** More would not help a reader, and would take long to send. */
const MAX_LISTED = 1000;
const MAX_OVERLAYS = 20;
const MAX_DAYS = 730;
const DEFAULT_DAYS = 30;
const SEVERITIES: readonly Severity[] = ['breaking', 'warning', 'compatible'];

interface SentDocument {
  readonly document: string;
  readonly overlays: readonly string[];
}

lowerThreadPriority();
const body: Uint8Array[] = [];
const texts: string[][] = [];
let sent: ReturnType<typeof readBody> | undefined;

parentPort?.on('message', (message: ThreadMessage) => {
  if (message.kind === 'body') body.push(message.bytes);
  else if (message.kind === 'body_end') {
    sent = readBody(Buffer.concat(body.splice(0)));
    if ('details' in sent) send({ kind: 'invalid', details: sent.details });
    else send({ kind: 'asked', asked: { upstream: sent.upstream, days: sent.days } });
  } else if (message.kind === 'piece') (texts[message.number] ??= []).push(message.text);
  else if (sent !== undefined && !('details' in sent)) {
    const joined = texts.map((pieces) => pieces.join(''));
    send(compare(message, joined, sent));
  }
});

function send(message: ComparisonMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

function readBody(buffer: Buffer): (AskedComparison & SentDocument) | { readonly details: ErrorDetail[] } {
  const fail = (path: string, message: string) => ({ details: [{ path, message }] });
  if (!isUtf8(buffer)) return fail('/', 'must be UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(buffer.toString());
  } catch {
    return fail('/', 'must be JSON');
  }
  if (!isObject(value)) return fail('/', 'must be an object');
  const { upstream, document, overlays = [], days = DEFAULT_DAYS, ...others } = value;
  const [unknownField] = Object.keys(others);
  if (unknownField !== undefined) return fail(`/${unknownField.slice(0, 100)}`, 'is not a known field');
  if (typeof upstream !== 'string') return fail('/upstream', 'must be the name of an upstream');
  if (typeof document !== 'string') return fail('/document', 'must be the text of an OpenAPI document');
  if (!Array.isArray(overlays) || !overlays.every((each) => typeof each === 'string') || overlays.length > MAX_OVERLAYS)
    return fail('/overlays', `must be a list of at most ${MAX_OVERLAYS} texts`);
  if (!Number.isInteger(days) || (days as number) < 1 || (days as number) > MAX_DAYS)
    return fail('/days', `must be a whole number from 1 to ${MAX_DAYS}`);
  return { upstream, document, overlays, days: days as number };
}

type InForce = Extract<ThreadMessage, { kind: 'compare' }>;

function compare({ file, overlays, options }: InForce, [text = '', ...overlayTexts]: string[], input: SentDocument) {
  const faults = new Faults();
  const source = { text, overlays: overlays.map((each, index) => ({ file: each, text: overlayTexts[index] ?? '' })) };
  const before = read(file, source, options, faults);
  const sentOverlays = input.overlays.map((each, index) => ({ file: `overlays[${index}]`, text: each }));
  const after = read('document', { text: input.document, overlays: sentOverlays }, options, faults);
  if (faults.count > 0) return { kind: 'refused', faults: faults.lines } as const;
  return { kind: 'compared', ...list(compareDocuments(before, after)) } as const;
}

/** Webhooks are compared without being checked as event types. */
function read(
  file: string,
  source: Parameters<typeof parseUpstreamDocument>[1],
  options: InForce['options'],
  faults: Faults,
): UpstreamDocument {
  return parseUpstreamDocument(file, source, { ...options, events: false, isCandidate: true }, faults);
}

function list({ changes, incomplete }: ReturnType<typeof compareDocuments>): ComparedDocuments {
  const bySeverity = (severity: Severity): Change[] => changes.filter((change) => change.severity === severity);
  const sorted = SEVERITIES.flatMap(bySeverity);
  const count = (severity: Severity) => bySeverity(severity).length;
  const isCut =
    sorted.length > MAX_LISTED ? `only the first ${MAX_LISTED} of ${sorted.length} changes are listed` : null;
  return {
    counts: { breaking: count('breaking'), warning: count('warning'), compatible: count('compatible') },
    changes: sorted.slice(0, MAX_LISTED),
    incomplete: incomplete ?? isCut,
  };
}
