import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateSigningSecret } from '../../../../src/control-plane/webhooks/signature.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createSender } from '../../../support/webhooks/sender.ts';

let server: Server;
let port: number;
let ca: string;
/** The host names that clients requested, in TLS and in HTTP. */
const requested: (readonly [servername: string | false | null, host: string | undefined])[] = [];
beforeAll(async () => {
  const folder = tempFolder();
  const [key, cert] = [join(folder.path, 'tls.key'), join(folder.path, 'tls.crt')];
  const subject = ['-subj', '/CN=hooks', '-addext', 'subjectAltName=DNS:hooks.example.com,IP:127.0.0.1'];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  ca = readFileSync(cert, 'utf8');
  server = createServer({ key: readFileSync(key), cert: ca }, (req, res) => {
    requested.push([(req.socket as TLSSocket & { servername: string | false | null }).servername, req.headers.host]);
    res.writeHead(204).end();
  });
  folder.remove();
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function send(host: string, trusted: string | undefined) {
  const { sender, done } = createSender({ allowPrivate: true, ...(trusted && { ca: trusted }) });
  const outcome = await sender.send({
    url: `https://${host}:${port}/`,
    secrets: [generateSigningSecret()],
    id: 'evt_1',
    body: '{}',
  });
  await done();
  return outcome;
}

test('TLS uses the host name of the webhook URL, although the connection is made to an address', async () => {
  expect(await send('hooks.example.com', ca)).toMatchObject({ status: 204, error: null });
  expect(requested).toEqual([['hooks.example.com', `hooks.example.com:${port}`]]);
});

test('a certificate for an IP address is accepted if the webhook URL has that address', async () => {
  expect(await send('127.0.0.1', ca)).toMatchObject({ status: 204, error: null });
});

test.each([
  ['for another name', 'other.example.com', true],
  ['from an unknown authority', 'hooks.example.com', false],
])('a certificate %s is refused before anything is sent', async (_what, host, isTrusted) => {
  const before = requested.length;
  const outcome = await send(host, isTrusted ? ca : undefined);
  expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(/^TLS failed \(\w+\)$/) });
  expect(requested).toHaveLength(before);
});
