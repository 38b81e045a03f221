import { Certificate, type CertificateFiles } from './certificate.ts';
import type { Logger } from 'pino';

/** Of each listener; null: it is without TLS. */
export interface Certificates {
  readonly public: Certificate | null;
  readonly admin: Certificate | null;
  readonly portal: Certificate | null;
  readonly close: () => void;
}

export interface CertificateOptions {
  readonly tls?: CertificateFiles | undefined;
  /** Their own, in place of that of the public listener. */
  readonly admin: { readonly tls?: CertificateFiles | undefined };
  readonly portal: { readonly tls?: CertificateFiles | undefined };
}

/** Opens each pair of files once. @throws StartError if a certificate cannot be used */
export function openCertificates({ tls, admin, portal }: CertificateOptions, logger: Logger): Certificates {
  const opened = new Map<string, Certificate>();
  function open(files: CertificateFiles | undefined): Certificate | null {
    if (files === undefined) return null;
    const name = JSON.stringify([files.cert, files.key]);
    let certificate = opened.get(name);
    if (certificate === undefined) opened.set(name, (certificate = new Certificate(files, logger)));
    return certificate;
  }
  const close = () => {
    for (const certificate of opened.values()) certificate.close();
  };
  try {
    return { public: open(tls), admin: open(admin.tls ?? tls), portal: open(portal.tls ?? tls), close };
  } catch (error) {
    close();
    throw error;
  }
}
