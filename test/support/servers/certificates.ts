import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PEM files. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority of the test's own. */
export class TestAuthority {
  /** The PEM file of its certificate. */
  readonly cert: string;
  readonly #key: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.cert = join(folder, 'authority.pem');
    this.#key = join(folder, 'authority-key.pem');
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    )(...['-subj', '/CN=Test authority', '-keyout', this.#key, '-out', this.cert]);
  }

  /** A certificate for this machine. @param name tells it from others */
  issue(name: string): TestCertificate {
    const [cert, key, request, extensions] = ['.pem', '-key.pem', '.csr', '.ext'].map((end) =>
      join(this.#folder, name + end),
    ) as [string, string, string, string];
    writeFileSync(extensions, 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    openssl(
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      `/CN=${name}`,
    )(...['-keyout', key, '-out', request]);
    openssl(
      'x509',
      '-req',
      '-in',
      request,
      '-CA',
      this.cert,
      '-CAkey',
      this.#key,
      '-CAcreateserial',
      '-days',
      '2',
    )(...['-extfile', extensions, '-out', cert]);
    return { cert, key };
  }
}

function openssl(...what: string[]): (...more: string[]) => void {
  return (...more) => void execFileSync('openssl', [...what, ...more], { stdio: 'ignore' });
}
