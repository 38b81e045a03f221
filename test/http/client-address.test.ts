/**
 * Some proxies append the port to the address that they report. Each connection of a caller once looked like another
 * caller, so no limit by address applied.
 */
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { createClientAddress, createMalformedAddressWarning } from '../../src/http/addresses.ts';
import { captureLog } from '../support/log-lines.ts';

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'];

function requestFrom(sender: string, chain?: string): IncomingMessage {
  const headers = chain === undefined ? {} : { 'x-forwarded-for': chain };
  return { socket: { remoteAddress: sender }, headers } as unknown as IncomingMessage;
}

function clientAddress(sender: string, chain?: string): { readonly address: string; readonly malformed: string[] } {
  const malformed: string[] = [];
  const find = createClientAddress(PROXIES, (value, reportedBy) => malformed.push(`${value} by ${reportedBy}`));
  return { address: find(requestFrom(sender, chain)), malformed };
}

describe('an address is accepted in every form in which proxies write it, such as', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:DB8::0007]:51234', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::ffff:cb00:7109]:51234', '203.0.113.9'],
    ['  203.0.113.9:51234  ', '203.0.113.9'],
  ])('%s', (value, expected) => {
    expect(clientAddress('10.0.0.1', value)).toEqual({ address: expected, malformed: [] });
    expect(clientAddress('10.0.0.1', `198.51.100.1, ${value}`).address).toBe(expected);
  });
});

describe('text that is not an address counts as the address of the proxy that reported it, such as', () => {
  test.each([
    'unknown',
    '_hidden',
    'example.com',
    '203.0.113.9:port',
    '203.0.113.9:123456',
    '203.0.113.9:',
    '203.0.113.256',
    '010.0.0.7',
    '3405803785',
    '[203.0.113.9]',
    '[2001:db8::7',
    '2001:db8::7]:443',
    '[]:443',
    '"203.0.113.9"',
    'for=203.0.113.9',
  ])('%s', (value) => {
    expect(clientAddress('10.0.0.1', value)).toEqual({ address: '10.0.0.1', malformed: [`${value} by 10.0.0.1`] });
    const behindTwo = clientAddress('10.0.0.1', `198.51.100.1, ${value}, 10.0.0.2:443`);
    expect(behindTwo).toEqual({ address: '10.0.0.2', malformed: [`${value} by 10.0.0.2`] });
  });
});

test.each([
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', ' , ,', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9,, ,10.0.0.2 ,', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1, 203.0.113.9:1, [2001:db8:ffff::1]:2, 10.0.0.2:3', '203.0.113.9'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['::ffff:10.0.0.1', '203.0.113.9:1', '203.0.113.9'],
  ['203.0.113.1', '198.51.100.1:1', '203.0.113.1'],
  ['203.0.113.1', 'unknown', '203.0.113.1'],
  ['::ffff:203.0.113.1', undefined, '203.0.113.1'],
  ['::ffff:203.0.113.1', '198.51.100.1', '203.0.113.1'],
])('the caller behind %s with %s is %s: the nearest address that no trusted proxy has', (sender, chain, expected) => {
  expect(clientAddress(sender, chain)).toEqual({ address: expected, malformed: [] });
});

test('an address that cannot be parsed is logged in one warning, without keys and not longer than a line', () => {
  const { logger, lines } = captureLog();
  const find = createClientAddress(PROXIES, createMalformedAddressWarning(logger));
  for (const value of [`tg_live_secret${'x'.repeat(200)}`, 'unknown', 'unknown']) find(requestFrom('10.0.0.1', value));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      proxy: '10.0.0.1',
      value: 'tg_live_…',
      msg: 'X-Forwarded-For from a trusted proxy has no address',
    }),
  ]);
});
