import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { Certificate, type CertificateFiles } from '../http/certificate.ts';
import type { Shutdown } from '../shutdown.ts';

/** Of each listener; null: it is without TLS. */
export interface Certificates {
  readonly public: Certificate | null;
  readonly admin: Certificate | null;
  readonly portal: Certificate | null;
}

/** @throws StartError if a certificate cannot be used */
export function openCertificates({ tls, admin, portal }: Config, logger: Logger, shutdown: Shutdown): Certificates {
  const opened = new Map<string, Certificate>();
  function open(files: CertificateFiles | undefined): Certificate | null {
    if (files === undefined) return null;
    const name = JSON.stringify([files.cert, files.key]);
    let certificate = opened.get(name);
    if (certificate === undefined) opened.set(name, (certificate = new Certificate(files, logger)));
    return certificate;
  }
  shutdown.add('certificates', () => {
    for (const certificate of opened.values()) certificate.close();
  });
  return { public: open(tls), admin: open(admin.tls ?? tls), portal: open(portal.tls ?? tls) };
}
