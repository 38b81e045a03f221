import { expect, test } from '@jest/globals';
import { explainRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { RefusalFacts } from '../../../../src/control-plane/history/explanations/refusal-facts.ts';
import type { FoundRefusal } from '../../../../src/control-plane/history/store/history-store.ts';
import {
  admission,
  at,
  facts,
  found,
  MIDNIGHT,
  MUCH_LATER,
  quota,
  REFUSED_AT,
  undecided,
  window,
} from '../../../support/history/refusals.ts';

/** Creates the entries of the timeline. Times on the day of the refusal have no date. */
function createTimeline(
  some: Partial<RefusalFacts>,
  later: FoundRefusal['later'] = [],
  now = MUCH_LATER,
): readonly string[] {
  const { timeline } = explainRefusal(found(some, { later }), { now, reader: 'consumer' });
  return timeline.map(({ at: time, text }) => `${time.replace('2026-11-21T', '').replace('.000Z', '')} ${text}`);
}

const OPENED = '10:00:03 The per-minute window opened.';
const FIRST = '10:00:21 First known refusal at this limit.';
const REFUSED =
  '10:00:31.250Z This request was refused with 429 rate_limit_exceeded: 60 of 60 units used; 3 of 10 strikes.';

test('the timeline of a full window has its opening, the first refusal, this refusal and the end', () => {
  expect(createTimeline({})).toEqual([OPENED, FIRST, REFUSED, '10:01:03 Calls were possible again.']);
});

test('the timeline does not list a first refusal twice, and describes the future as future', () => {
  const some = { admission: { ...admission, strikes: 0, refusingSince: REFUSED_AT } };
  expect(createTimeline(some, [], at('10:00:40'))).toEqual([
    OPENED,
    '10:00:31.250Z This request was refused with 429 rate_limit_exceeded: 60 of 60 units used.',
    '10:01:03 Calls are possible again.',
  ]);
});

test('in the timeline, a day opens at midnight UTC, and a month on its first day', () => {
  const month = { ...window(5000, 5000, Date.UTC(2026, 11, 1)), startsAt: Date.UTC(2026, 10, 1) };
  const full = { ...quota, minute: window(60, 3, at('10:01:03')), day: window(1000, 1000, MIDNIGHT), month };
  const steps = createTimeline({ code: 'quota_exceeded', freeAt: Date.UTC(2026, 11, 1), quota: full });
  expect(steps.slice(0, 2)).toEqual([
    '2026-11-01T00:00:00 The monthly window opened.',
    '00:00:00 The daily window opened.',
  ]);
  expect(steps).toContain(
    '10:00:31.250Z This request was refused with 429 quota_exceeded: 5000 of 5000 units used; 3 of 10 strikes.',
  );
});

test('the timeline lists later strikes and a later ban, which delays the next possible call', () => {
  const ban = { from: at('10:00:52'), until: at('10:05:52'), level: 1, manual: false };
  const strike = (time: string, strikes: number, banStarted = false) => {
    const later = {
      ...facts,
      quota: banStarted ? { ...quota, ban } : quota,
      freeAt: banStarted ? ban.until : facts.freeAt,
    };
    return { at: at(time), facts: { ...later, admission: { ...admission, strikes, banStarted } } };
  };
  expect(createTimeline({}, [strike('10:00:33', 5), strike('10:00:52', 10, true)])).toEqual([
    OPENED,
    FIRST,
    REFUSED,
    '10:00:52 The client kept calling: 10 of 10 strikes.',
    '10:00:52 An automatic ban started.',
    '10:05:52 The ban ended.',
    '10:05:52 Calls were possible again.',
  ]);
});

test('the timeline of a manual ban lists no windows that are not full', () => {
  const ban = { from: at('10:00:00'), until: at('13:00:00'), level: 0, manual: true };
  const room = { ...quota, minute: window(60, 3, at('10:01:03')), ban };
  const none = { ...admission, strikes: 0 };
  expect(createTimeline({ code: 'key_banned', quota: room, admission: none, freeAt: ban.until })).toEqual([
    '10:00:00 An operator banned the key.',
    '10:00:31.250Z This request was refused with 403 key_banned.',
    '13:00:00 The ban ends, unless it is lifted earlier.',
    '13:00:00 Calls are possible again.',
  ]);
});

test('the timeline of a refusal unrelated to limits lists only the refusal', () => {
  expect(createTimeline({ ...undecided, code: 'route_not_found', quota: null })).toEqual([
    '10:00:31.250Z This request was refused with 404 route_not_found.',
  ]);
});
