import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { chmodSync, chownSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureLog } from '../support/log-lines.ts';
import { Faults } from '../../src/base/configuration-faults.ts';
import { readDatabase } from '../../src/config/storage-locations.ts';
import type { Database } from '../../src/storage/database.ts';
import { openReadyPostgres } from '../support/servers/open-postgres.ts';
import { explainPostgresError } from '../../src/storage/postgres-errors.ts';
import { withFixedTlsMode } from '../../src/storage/postgres-tls.ts';
import { TestAuthority } from '../support/servers/certificates.ts';
import { postgresUser } from '../support/servers/postgres-programs.js';
import type { PostgresDatabases } from '../support/servers/postgres-databases.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The tests use a real PostgreSQL with `ssl = on`, and a certificate that an unknown CA has signed. */

const folder = tempFolder();
let authority: TestAuthority;
let server: PostgresServer;
let plain: PostgresDatabases;
let opened: Database | undefined;

beforeAll(async () => {
  authority = new TestAuthority(folder.path);
  const { cert, key } = authority.issue('postgres');
  chmodSync(folder.path, 0o755);
  const keyFile = join(folder.path, 'postgres-server-key.pem');
  copyFileSync(key, keyFile);
  chmodSync(keyFile, 0o600);
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(keyFile, uid, gid);
  const settings = { ssl: 'on', ssl_cert_file: cert, ssl_key_file: keyFile };
  [server, plain] = await Promise.all([PostgresServer.start({ settings }), sharedPostgres()]);
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function open(url: string): Promise<Database> {
  opened = await openReadyPostgres(url, captureLog().logger);
  return opened;
}

const formatTrust = () => `sslrootcert=${encodeURIComponent(authority.cert)}`;

test.each(['verify-full', 'require', 'verify-ca', 'prefer'])(
  'sslmode=%s encrypts and checks the certificate',
  async (mode) => {
    const url = await server.createDatabase();
    await expect(open(`${url}?sslmode=${mode}`)).rejects.toThrow(
      /^no TLS connection to PostgreSQL \(its certificate is not trusted, \w+: add sslrootcert=FILE to TOLLGATE_DATABASE/,
    );
    const database = await open(`${url}?sslmode=${mode}&${formatTrust()}`);
    expect(database.state()).toBe('up');
    const shown = await server.query(`SELECT bool_and(ssl) AS ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name LIKE 'tollgate-%'`);
    expect(shown).toEqual([{ ssl: true }]);
  },
);

test('verify-full also checks the host name, and no-verify checks neither the name nor the certificate', async () => {
  const url = await server.createDatabase();
  // The certificate is valid for 127.0.0.1 and localhost only.
  const other = url.replace('@127.0.0.1', '@[::ffff:127.0.0.1]');
  await expect(open(`${other}?sslmode=verify-full&${formatTrust()}`)).rejects.toThrow(
    /certificate is for another host, .*: use a host name of the certificate in TOLLGATE_DATABASE/,
  );
  expect((await open(`${other}?sslmode=no-verify`)).state()).toBe('up');
});

test('the error explains that a server does not offer TLS, or that it requires TLS', async () => {
  await expect(open(`${plain.url()}?sslmode=require`)).rejects.toThrow(
    'no TLS connection to PostgreSQL (the server does not offer TLS: set ssl = on in PostgreSQL, or remove sslmode from TOLLGATE_DATABASE)',
  );
  const message = 'no pg_hba.conf entry for host "10.0.0.1", user "u", database "d", no encryption';
  expect(explainPostgresError(Object.assign(new Error(message), { severity: 'FATAL', code: '28000' }))).toMatchObject({
    kind: 'tls',
    message: expect.stringContaining('add sslmode=verify-full to TOLLGATE_DATABASE'),
  });
});

test('ambiguous sslmodes become verify-full, and the others are unchanged', () => {
  const url = 'postgres://u:p%40@h:1/d?sslmode=';
  expect(withFixedTlsMode(`${url}require&sslrootcert=/a`)).toBe(`${url}verify-full&sslrootcert=%2Fa`);
  for (const same of ['disable', 'no-verify', 'verify-full', 'require&uselibpqcompat=true'])
    expect(withFixedTlsMode(url + same)).toBe(url + same);
});

test.each([
  ['sslmode=verify_full', 'has an sslmode that is not known: use verify-full, no-verify or disable'],
  [
    'sslrootcert=/nowhere.pem',
    'has sslrootcert=/nowhere.pem, which cannot be read (ENOENT): give the absolute path of a PEM file',
  ],
])('%s is rejected as a configuration error', (parameters, what) => {
  const faults = new Faults();
  const text = `postgres://u:secret@h/d?${parameters}`;
  expect(readDatabase({ text, where: 'environment', name: 'TOLLGATE_DATABASE' }, '/', faults)).toBeNull();
  expect(faults.lines).toEqual([`environment: TOLLGATE_DATABASE ${what}`]);
});
