/**
 * The attack (DNS rebinding): the attacker's host name resolves to a public address while the webhook is created, and
 * to an address in the gateway's network afterward. So the gateway checks the address to which it actually connects.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AddressRules, UrlRules } from '../../../../src/control-plane/webhooks/address-rules.ts';
import { createSender } from '../../../support/webhooks/sender.ts';
import { Endpoint } from '../../../support/webhooks/endpoint.ts';
import { privateHosts } from './private-addresses.ts';

const NOT_PUBLIC = 'the host resolves to an address that is not public';
const message = { secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], id: 'evt_1', body: '{}' };

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await Endpoint.start();
});
afterAll(() => endpoint.stop());

describe('the sender makes no connection', () => {
  test.each(privateHosts)('to %s (%s)', async (host) => {
    const address = new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, '');
    const port = new URL(endpoint.url).port;
    const { sender, done } = createSender({ resolve: async () => ['8.8.8.8', address] });
    const urls = [`https://${host}:${port}/`, `http://${host}:${port}/`, `http://hooks.example.com:${port}/`];
    const outcomes = await Promise.all(urls.map((url) => sender.send({ ...message, url })));
    await done();
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: null, error: NOT_PUBLIC });
    expect(endpoint.connections).toBe(0);
  });
});

test('the sender makes no connection to a name that resolves to a private address after it was accepted', async () => {
  const responses = [['8.8.8.8'], ['127.0.0.1']];
  const resolve = async () => responses.shift() ?? ['127.0.0.1'];
  const { sender, done } = createSender({ resolve });
  const url = `https://rebind.example.com:${new URL(endpoint.url).port}/`;
  const rules = new UrlRules({ rules: new AddressRules(false), ports: null, resolve });
  expect(await rules.check(url)).toBe(url);
  expect(await sender.send({ ...message, url })).toMatchObject({ status: null, error: NOT_PUBLIC });
  await done();
  expect(endpoint.connections).toBe(0);
});

test('the address of an open connection is checked again before anything is sent', async () => {
  const checked: string[] = [];
  const rules = {
    allows(address: string) {
      checked.push(address);
      return checked.length === 1;
    },
  };
  const { sender, done } = createSender({ resolve: async () => ['127.0.0.1'], rules });
  const url = `http://hooks.example.com:${new URL(endpoint.url).port}/`;
  expect(await sender.send({ ...message, url })).toMatchObject({ status: null, error: NOT_PUBLIC });
  await done();
  expect(checked).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(endpoint.requests).toEqual([]);
});

test('the sender keeps connections and reuses them', async () => {
  const { sender, done } = createSender({ allowPrivate: ['127.0.0.0/8'] });
  const before = endpoint.connections;
  for (let count = 0; count < 10; count++) await sender.send({ ...message, url: endpoint.url });
  await done();
  expect(endpoint.connections - before).toBeLessThan(5);
});
