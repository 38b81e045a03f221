import { expect, test } from '@jest/globals';
import type { HttpSender } from '../../../../src/control-plane/webhooks/http-sender.ts';
import { LazySender } from '../../../../src/control-plane/webhooks/lazy-sender.ts';
import { captureLog } from '../../../support/log-lines.ts';

const message = { url: 'https://hooks.example.com', secrets: ['secret'], id: 'evt_1', body: '{}' };
const arrived = { at: 2, durationMs: 1, status: 200, error: null, answer: '', retryAfterMs: null };

test('an attempt fails if the sender cannot be loaded, and the next attempt loads it again', async () => {
  const { logger, lines } = captureLog();
  let opened = 0;
  let closed = 0;
  const open = async () => {
    if (++opened === 1) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    return { send: async () => arrived, close: async () => void closed++ } as object as HttpSender;
  };
  const sender = new LazySender({ open, clock: () => 1, logger });
  const failed = { at: 1, durationMs: 0, status: null, error: 'the gateway could not send the event' };
  expect(await sender.send(message)).toMatchObject(failed);
  expect(lines.map(({ msg }) => msg)).toEqual(['webhooks cannot be sent: the sender could not be loaded']);
  expect(await Promise.all([sender.send(message), sender.send(message)])).toEqual([arrived, arrived]);
  expect(opened).toBe(2);
  await sender.close();
  expect(closed).toBe(1);
});

test('a sender can be closed even if it was never loaded or could not be loaded', async () => {
  const open = () => Promise.reject(new Error('gone'));
  const sender = new LazySender({ open, clock: () => 1, logger: captureLog().logger });
  await sender.close();
  expect(await sender.send(message)).toMatchObject({ status: null, error: 'the gateway could not send the event' });
  await sender.close();
});
