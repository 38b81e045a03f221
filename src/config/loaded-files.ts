import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FileKind } from '../control-plane/system/reload-effects.ts';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { KeyPair } from '../http/reloaded-certificate.ts';

/**
 * A small file that was read with the configuration. Its content is compared by a digest, because it may be secret.
 * Documents, plans and pages are compared by their content instead.
 */
export interface LoadedFile {
  readonly kind: Extract<FileKind, 'certificate' | 'secret' | 'logo'>;
  /** The setting that names the file, or the variable. */
  readonly setting: string;
  readonly path: string;
  readonly digest: string;
}

/** Names of variables with the file that each was read from, and its value. */
export type VariableFiles = Map<string, { readonly path: string; readonly value: string }>;

export function computeFileDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** @param isChosen whether the variable with this name is listed */
export function listSecretFiles(files: VariableFiles, isChosen: (name: string) => boolean): LoadedFile[] {
  return [...files]
    .filter(([name]) => isChosen(name))
    .map(([name, { path, value }]) => {
      return { kind: 'secret', setting: `${name}_FILE`, path, digest: computeFileDigest(value) };
    });
}

/** @param logo the path of the portal's logo */
export function listLogo(logo: string | undefined): LoadedFile[] {
  return logo === undefined ? [] : readLoadedFile('logo', 'portal.logo', logo);
}

interface PairFiles {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

interface ListenerFiles {
  readonly tls?: PairFiles | undefined;
}

interface CertificateSettings extends ListenerFiles {
  readonly admin: ListenerFiles;
  readonly portal: ListenerFiles;
}

/** The pairs of PEM files that the gateway reads again by itself, by the setting that names them. */
function listPairs(
  { tls, admin, portal }: CertificateSettings,
  upstreams: readonly Pick<UpstreamConfig, 'name' | 'service'>[],
): (readonly [setting: string, cert: string, key: string])[] {
  const pairs: (readonly [string, PairFiles | undefined])[] = [
    ['tls', tls],
    ['admin.tls', admin.tls],
    ['portal.tls', portal.tls],
    ...upstreams.map(({ name, service }) => {
      return [`upstreams.${name}.tls`, 'module' in service ? undefined : service.tls] as const;
    }),
  ];
  return pairs.flatMap(([setting, { cert, key } = {}]) =>
    cert === undefined || key === undefined ? [] : [[setting, cert, key] as const],
  );
}

/** Reads the certificates of the listeners, and those that the gateway presents to services. */
export function readCertificates(...settings: Parameters<typeof listPairs>): LoadedFile[] {
  return listPairs(...settings).flatMap(([setting, cert, key]) => [
    ...readLoadedFile('certificate', `${setting}.cert`, cert),
    ...readLoadedFile('certificate', `${setting}.key`, key),
  ]);
}

/** @param findPair finds the pair that is in use for a setting; undefined if there is none */
export function listCertificatesInUse(
  findPair: (setting: string) => KeyPair | null | undefined,
  ...settings: Parameters<typeof listPairs>
): LoadedFile[] {
  return listPairs(...settings).flatMap(([setting, cert, key]): LoadedFile[] => {
    const pair = findPair(setting);
    if (pair === null || pair === undefined) return [];
    return [
      { kind: 'certificate', setting: `${setting}.cert`, path: cert, digest: computeFileDigest(pair.cert) },
      { kind: 'certificate', setting: `${setting}.key`, path: key, digest: computeFileDigest(pair.key) },
    ];
  });
}

/** A file that cannot be read is left out: the code that uses it reports the error. */
function readLoadedFile(kind: LoadedFile['kind'], setting: string, path: string): LoadedFile[] {
  try {
    return [{ kind, setting, path, digest: computeFileDigest(readFileSync(path)) }];
  } catch {
    return [];
  }
}
