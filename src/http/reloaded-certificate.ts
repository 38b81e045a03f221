import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { readConfiguredFile } from '../base/configured-file.ts';
import { StartError } from '../base/error-types.ts';

/** Paths of PEM files. */
interface CertificateFiles {
  /** The certificate, followed by intermediate certificates. */
  readonly cert: string;
  readonly key: string;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * How often the files are read again. The files are not watched, because mounted secrets are replaced by swapping links
 * or whole folders, and a watcher of a file does not notice that.
 */
const CHECK_MS = 5000;

/** A certificate and its key, reloaded when their files change. */
export class Certificate {
  readonly #files: CertificateFiles;
  readonly #logger: Logger;
  readonly #listeners: ((pair: KeyPair) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;
  #pair: KeyPair;
  #expiresAt: number;
  /** Why the last reload failed; null if it succeeded. */
  #failure: string | null = null;

  /** @throws StartError if the files cannot be read or do not belong together */
  constructor(files: CertificateFiles, logger: Logger, checkMs = CHECK_MS) {
    this.#files = files;
    this.#logger = logger;
    this.#pair = readPair(files);
    this.#expiresAt = readExpiry(this.#pair);
    this.#timer = setInterval(() => void this.#check(), checkMs).unref();
  }

  get pair(): KeyPair {
    return this.#pair;
  }

  /** When the certificate expires, in ms since the Unix epoch. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Calls the listener with each new pair. */
  onRenewed(listener: (pair: KeyPair) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Reloads the files if they have changed. Only one check runs at a time: a read may hang, for example on a network file
   * system, and each hanging read blocks one of the few threads of the process.
   */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { cert, key } = this.#files;
    try {
      const pair = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
      const isSame = pair.cert === this.#pair.cert && pair.key === this.#pair.key;
      // While the files are being replaced, they may not match for a moment.
      if (!isSame) checkPair(pair);
      this.#failure = null;
      if (!isSame) this.#renew(pair);
    } catch (error) {
      this.#reportFailure(error as Error);
    } finally {
      this.#isChecking = false;
    }
  }

  #renew(pair: KeyPair): void {
    this.#pair = pair;
    this.#expiresAt = readExpiry(pair);
    for (const listener of this.#listeners) listener(pair);
    this.#logger.info({ certificate: this.#files.cert }, 'certificate reloaded');
  }

  #reportFailure({ message }: Error): void {
    if (message === this.#failure) return;
    this.#failure = message;
    const files = { certificate: this.#files.cert, key: this.#files.key };
    this.#logger.error({ ...files, reason: message }, 'new certificate cannot be used; the previous one stays in use');
  }
}

/** @throws StartError if the files cannot be read, or do not belong together */
export function readPair({ cert, key }: CertificateFiles): KeyPair {
  const pair = { cert: readText(cert), key: readText(key) };
  try {
    checkPair(pair);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`tls: ${cert} and ${key} cannot be used (${message}): both must be PEM, and belong together`);
  }
  return pair;
}

/** @throws Error if the pair cannot be used */
function checkPair(pair: KeyPair): void {
  // A file is empty for a moment while it is written. With an empty file, Node would start without a certificate and
  // refuse every client.
  if (pair.cert === '' || pair.key === '') throw new Error('a file is empty');
  createSecureContext(pair);
}

/** Reads when the first certificate in the file expires. It is the listener's own. */
function readExpiry({ cert }: KeyPair): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

function readText(file: string): string {
  try {
    return readConfiguredFile(file);
  } catch (error) {
    throw new StartError(`tls: ${file} cannot be read (${(error as Error).message})`);
  }
}

/** The certificate of each listener; null without TLS. */
export interface Certificates {
  readonly public: Certificate | null;
  readonly admin: Certificate | null;
  readonly portal: Certificate | null;
  readonly close: () => void;
}

interface CertificateOptions {
  readonly tls?: CertificateFiles | undefined;
  /** Used instead of the certificate of the public listener. */
  readonly admin: { readonly tls?: CertificateFiles | undefined };
  readonly portal: { readonly tls?: CertificateFiles | undefined };
}

/**
 * Opens the certificates of all listeners. A pair of files that several listeners use is opened only once.
 *
 * @throws StartError if a certificate cannot be used
 */
export function openCertificates({ tls, admin, portal }: CertificateOptions, logger: Logger): Certificates {
  const certificates = new Map<string, Certificate>();
  function open(files: CertificateFiles | undefined): Certificate | null {
    if (files === undefined) return null;
    const name = JSON.stringify([files.cert, files.key]);
    let certificate = certificates.get(name);
    if (certificate === undefined) certificates.set(name, (certificate = new Certificate(files, logger)));
    return certificate;
  }
  const close = () => {
    for (const certificate of certificates.values()) certificate.close();
  };
  try {
    return { public: open(tls), admin: open(admin.tls ?? tls), portal: open(portal.tls ?? tls), close };
  } catch (error) {
    close();
    throw error;
  }
}
