/**
 * The attack (SSRF): whoever creates a webhook chooses the URL that the gateway calls. An attacker chooses a URL that
 * only the gateway can reach: the admin listener on loopback, the metadata service of a cloud machine, a database in a
 * private network, or a host name that resolves to one of these. Creating such a webhook is refused.
 */
import { describe, expect, test } from '@jest/globals';
import {
  AddressRules,
  type AllowPrivate,
  createResolver,
  UrlRules,
} from '../../../../src/control-plane/webhooks/address-rules.ts';
import { privateHosts, publicAddresses } from './private-addresses.ts';

interface Given {
  readonly allowPrivate?: AllowPrivate;
  readonly ports?: readonly number[];
  /** The addresses to which every name resolves. */
  readonly addresses?: readonly string[];
}

const refused = (message: string) => expect.objectContaining({ code: 'webhook_address_not_allowed', message });
const anyRefusal = expect.objectContaining({ name: 'RegistryError', code: 'webhook_address_not_allowed' });

function rulesFor({ allowPrivate = false, ports, addresses = ['8.8.8.8'] }: Given = {}): UrlRules {
  const resolve = async (name: string) => {
    if (name.endsWith('.invalid')) throw new Error('not found');
    return addresses;
  };
  return new UrlRules({ rules: new AddressRules(allowPrivate), ports: ports ?? null, resolve });
}

describe('a webhook URL is refused if its address is not public, such as', () => {
  test.each(privateHosts)('%s (%s)', async (host) => {
    const { hostname } = new URL(`https://${host}/`);
    const address = hostname.replace(/^\[|\]$/g, '');
    await expect(rulesFor().check(`https://${host}/in`)).rejects.toEqual(anyRefusal);
    await expect(rulesFor({ addresses: [address] }).check('https://hooks.example.com/in')).rejects.toEqual(anyRefusal);
    const oneOfSeveral = rulesFor({ addresses: ['8.8.8.8', address] });
    await expect(oneOfSeveral.check('https://hooks.example.com/in')).rejects.toEqual(anyRefusal);
    // With `allowPrivate`, all hosts are accepted.
    expect(await rulesFor({ allowPrivate: true }).check(`http://${host}/in`)).toBe(`http://${hostname}/in`);
  });
});

test.each(publicAddresses)(
  'a webhook URL with the public address %s is accepted, and so is a host name that resolves to it',
  async (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(await rulesFor().check(`https://${host}/in`)).toBe(`https://${host}/in`);
    expect(await rulesFor({ addresses: [address] }).check('https://a.example/?b=c')).toBe('https://a.example/?b=c');
    await expect(rulesFor().check(`http://${host}/in`)).rejects.toEqual(anyRefusal);
  },
);

test.each(['localhost', 'LOCALHOST', 'localhost.', 'db.localhost', 'ｌocalhost'])(
  '%s in a webhook URL means this machine, whatever a name server returns',
  async (host) => {
    await expect(rulesFor().check(`https://${host}/`)).rejects.toEqual(anyRefusal);
    await expect(rulesFor({ allowPrivate: ['10.0.0.0/8'] }).check(`http://${host}/`)).rejects.toEqual(anyRefusal);
    const onLoopback = rulesFor({ allowPrivate: ['127.0.0.0/8', '::1'], addresses: ['127.0.0.1', '::1'] });
    expect(await onLoopback.check(`http://${host}:9000/`)).toMatch(/^http:/);
  },
);

test('webhook URLs in the listed private ranges are accepted, even over plain HTTP', async () => {
  const own = rulesFor({ allowPrivate: ['10.0.0.0/8', 'fd00::/8', '192.168.7.7'] });
  for (const host of ['10.1.2.3', '[fd00::1]', '192.168.7.7']) {
    expect(await own.check(`http://${host}/`)).toBe(`http://${host}/`);
    expect(await own.check(`https://${host}/`)).toBe(`https://${host}/`);
  }
  for (const host of ['192.168.7.8', '127.0.0.1', '[::ffff:10.1.2.3]', '[2002:a00:1::]']) {
    await expect(own.check(`https://${host}/`)).rejects.toEqual(anyRefusal);
  }
  await expect(own.check('http://8.8.8.8/')).rejects.toEqual(anyRefusal);
  await expect(rulesFor({ allowPrivate: true }).check('http://8.8.8.8/')).rejects.toEqual(anyRefusal);
});

test.each([
  ['ftp://example.com/', 'the URL must be https'],
  ['file:///etc/passwd', 'the URL must be https'],
  ['javascript:alert(1)', 'the URL must be https'],
  ['https://', 'the URL is not valid'],
  ['hooks.example.com', 'the URL is not valid'],
  ['https://256.256.256.256/', 'the URL is not valid'],
  ['https://[::1', 'the URL is not valid'],
  [`https://example.com/${'x'.repeat(2000)}`, 'the URL is not valid'],
  ['https://user@example.com/', 'the URL must not contain a user or a password'],
  ['https://:password@example.com/', 'the URL must not contain a user or a password'],
  ['https://example.com@127.0.0.1/', 'the URL must not contain a user or a password'],
  ['https://example.com/#part', 'the URL must not have a fragment'],
  ['https://example.com/#', 'the URL must not have a fragment'],
  ['https://nowhere.invalid/', 'the host name nowhere.invalid cannot be resolved: check it, or try again'],
  [
    'http://example.com/',
    'the URL must be https: plain HTTP is allowed only for private addresses in events.allowPrivate',
  ],
])('the webhook URL %s is refused with the message “%s”', async (url, message) => {
  await expect(rulesFor().check(url)).rejects.toEqual(refused(message));
});

test('the ports of webhook URLs can be restricted', async () => {
  const few = rulesFor({ ports: [443, 8443] });
  expect(await few.check('https://example.com/')).toBe('https://example.com/');
  expect(await few.check('https://example.com:443/')).toBe('https://example.com/');
  expect(await few.check('https://example.com:8443/')).toBe('https://example.com:8443/');
  for (const port of [22, 80, 8081]) {
    const message = 'the port must be one of 443, 8443';
    await expect(few.check(`https://example.com:${port}/`)).rejects.toEqual(refused(message));
  }
});

test('the refusal of a webhook URL does not reveal the address to which its host resolves', async () => {
  const refusal = await rulesFor({ addresses: ['10.9.8.7'] })
    .check('https://db.internal/')
    .catch(String);
  expect(refusal).toContain('the host db.internal resolves to an address that is not public');
  expect(refusal).not.toContain('10.9.8.7');
});

test('names in the hosts file are resolved if private addresses are allowed', async () => {
  const addresses = await createResolver(true)('localhost');
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...addresses]));
  expect(addresses.length).toBeGreaterThan(0);
});

test.each([true, false])(
  'a host name that does not resolve is refused (private addresses allowed: %j)',
  async (withHostNames) => {
    await expect(createResolver(withHostNames)('nowhere.invalid')).rejects.toThrow(/nowhere\.invalid/);
  },
);
