import type { KeyObject } from 'node:crypto';
import { isObject } from '../base/json.ts';
import { toPrintable, pluralize } from '../base/text.ts';
import type { SigningKey } from '../data-plane/tokens/signing-key.ts';
import type { TokenConfig } from '../data-plane/tokens/token-config.ts';
import type { Io } from './io.ts';

/**
 * Fetches the keys of each issuer, as the gateway does, and prints what was found.
 *
 * @returns the number of issuers whose tokens the gateway could not verify
 */
export async function checkIssuers(io: Io, configs: readonly TokenConfig[]): Promise<number> {
  // An HTTP client takes time to load.
  const { fetchPublishedKeys, KeysUnavailable } = await import('../data-plane/tokens/fetch-keys.ts');
  const check = async (config: TokenConfig): Promise<Finding> => {
    const start = performance.now();
    try {
      const { metadataUrl, jwksUri, keys } = await fetchPublishedKeys(config, io.ended);
      const metadata = metadataUrl === null ? 'no metadata (jwksUri is set)' : `metadata at ${metadataUrl}`;
      const took = `in ${Math.round(performance.now() - start)} ms`;
      const reached = [`issuer ${config.issuer}, ${metadata}, ${pluralize(keys.length, 'key')} at ${jwksUri}, ${took}`];
      const { lines, isUsable } = await describeKeys(keys, config);
      return { lines: [...reached, ...lines], isUsable };
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      return { lines: [`problem: ${error.message}${findAdvice(error)}`], isUsable: false };
    }
  };
  const findings = await Promise.all(configs.map(check));
  for (const [index, { lines }] of findings.entries()) {
    for (const line of lines) io.out(`tokens.${configs[index]?.name}: ${toPrintable(line)}\n`);
  }
  return findings.filter(({ isUsable }) => !isUsable).length;
}

/** The lines to print about an issuer, and whether any of its tokens can be verified. */
interface Finding {
  readonly lines: readonly string[];
  readonly isUsable: boolean;
}

async function describeKeys(published: readonly unknown[], { algorithms }: TokenConfig): Promise<Finding> {
  const { readSigningKey } = await import('../data-plane/tokens/signing-key.ts');
  const usable: SigningKey[] = [];
  const lines = published.map((jwk) => {
    const key = readSigningKey(jwk);
    if (typeof key === 'string') return `${nameKey(jwk)} is not used: it ${key}`;
    const served = algorithms.filter((name) => key.algorithms.has(name));
    const all = `${nameKey(jwk)} (${describeSize(key.publicKey)}) verifies`;
    if (served.length === 0) return `${all} ${[...key.algorithms].join(', ')}, but algorithms has none of them`;
    usable.push(key);
    return `${all} ${served.join(', ')}`;
  });
  const [served, missing] = [true, false].map((isServed) =>
    algorithms.filter((name) => usable.some((key) => key.algorithms.has(name)) === isServed),
  ) as [string[], string[]];
  if (served.length === 0) {
    return { lines: [...lines, `problem: no key verifies ${missing.join(', ')}`], isUsable: false };
  }
  const others = missing.length === 0 ? '' : `; no key verifies ${missing.join(', ')}`;
  return {
    lines: [...lines, ...findAmbiguous(usable, algorithms), `accepts ${served.join(', ')}${others}`],
    isUsable: true,
  };
}

/** Finds keys that share a `kid` and an algorithm. The gateway refuses tokens that name such a `kid`. */
function findAmbiguous(keys: readonly SigningKey[], algorithms: TokenConfig['algorithms']): string[] {
  const groups = Map.groupBy(keys, ({ kid }) => kid);
  return [...groups].flatMap(([kid, group]) => {
    const shared = algorithms.filter((name) => group.filter((key) => key.algorithms.has(name)).length > 1);
    if (kid === null || shared.length === 0) return [];
    return [`problem: ${group.length} keys have the kid ${JSON.stringify(kid)}, so tokens that name it are refused`];
  });
}

const MAX_SHOWN_LENGTH = 100;

/** Names a key by its id, type and algorithm, which may be anything. */
function nameKey(jwk: unknown): string {
  const { kid, kty, alg } = isObject(jwk) ? jwk : {};
  const show = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, MAX_SHOWN_LENGTH);
  const parts = Object.entries({ kty, alg }).filter(([, value]) => value !== undefined);
  const details = parts.map(([name, value]) => `, ${name} ${show(value)}`).join('');
  return `key ${kid === undefined ? 'without kid' : show(kid)}${details}`;
}

function describeSize({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {};
  return modulusLength === undefined ? (namedCurve ?? asymmetricKeyType ?? '') : `${modulusLength} bits`;
}

/** Advice by the code of Node's error. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the name of the host in issuer or jwksUri',
  ECONNREFUSED: 'nothing listens there',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'set NODE_EXTRA_CA_CERTS to trust an internal certificate authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'set NODE_EXTRA_CA_CERTS to trust an internal certificate authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'set NODE_EXTRA_CA_CERTS to trust this certificate',
};

function findAdvice({ cause }: Error): string {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  return advice === undefined ? '' : ` (${advice})`;
}
