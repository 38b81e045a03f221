import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of PEM files. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for tests. */
export class TestAuthority {
  /** The path of the authority's certificate (PEM). */
  readonly cert: string;
  readonly #key: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.cert = join(folder, 'authority.pem');
    this.#key = join(folder, 'authority-key.pem');
    const subject = ['-subj', '/CN=Test authority'];
    openssl(['req', '-x509', ...NEW_KEY, '-days', '2', ...subject, '-keyout', this.#key, '-out', this.cert]);
  }

  /**
   * Issues a certificate for this machine.
   *
   * @param name the common name, which is also the name of the file
   */
  issue(name: string): TestCertificate {
    const path = join(this.#folder, name);
    const [cert, key, request, extensions] = [`${path}.pem`, `${path}-key.pem`, `${path}.csr`, `${path}.ext`];
    writeFileSync(extensions, 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    openssl(['req', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', key, '-out', request]);
    const authority = ['-CA', this.cert, '-CAkey', this.#key, '-CAcreateserial', '-days', '2'];
    openssl(['x509', '-req', '-in', request, ...authority, '-extfile', extensions, '-out', cert]);
    return { cert, key };
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}
