/** Signatures of Project Wycheproof (C2SP/wycheproof, Apache 2.0): forged, truncated and confused ones. */
import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkHeader } from '../../../src/data-plane/tokens/check-claims.ts';
import { readSigningKey, SUPPORTED_ALGORITHMS } from '../../../src/data-plane/tokens/signing-key.ts';
import { isSignedWith } from '../../../src/data-plane/tokens/token-verifier.ts';
import type { TokenConfig } from '../../../src/data-plane/tokens/token-config.ts';
import { corpus, testWithCorpus } from '../../support/corpus.ts';

interface Group {
  readonly private: Record<string, unknown>;
  readonly public?: Record<string, unknown>;
  readonly tests: readonly { tcId: number; comment: string; jws: unknown; result: string; flags: readonly string[] }[];
}

const config: TokenConfig = {
  name: 'corp',
  issuer: 'https://login.example.com',
  audience: [],
  audienceClaim: 'aud',
  algorithms: SUPPORTED_ALGORITHMS,
  caller: [],
  register: true,
  maxCallers: 1,
  forward: true,
};

/** The keys that the issuer of a group would publish. */
function publishedKeys({ private: own, public: published = withoutSecret(own) }: Group): unknown[] {
  return Array.isArray(published['keys']) ? published['keys'] : [published];
}

function withoutSecret(jwk: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(jwk['keys'])) return jwk;
  const { d: _, p: __, q: ___, dp: ____, dq: _____, qi: ______, ...rest } = jwk;
  return rest;
}

/** Verifies a signature in the same way as a token's, but accepts any payload. */
async function isAccepted(jws: unknown, published: readonly unknown[]): Promise<boolean> {
  if (typeof jws !== 'string' || !/^[\w-]+\.[\w-]*\.[\w-]+$/.test(jws)) return false;
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(Buffer.from(jws.split('.', 1)[0] ?? '', 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return false;
  }
  const header = checkHeader(parsed, config);
  if (typeof header === 'string') return false;
  const { algorithm, kid } = header;
  const keys = published.map(readSigningKey).filter((key) => typeof key !== 'string');
  const [key, ...others] = keys.filter(
    (one) => one.algorithms.has(algorithm) && (kid === undefined || one.kid === kid),
  );
  return key !== undefined && others.length === 0 && isSignedWith(jws, algorithm, key);
}

/**
 * Vectors that are judged differently. A key with the ROCA weakness is the issuer's own mistake, and jose does not look
 * for it. In Figure20, the key is for PS256 only, and the signature says PS384.
 */
const EXCEPTIONS = ['rejectsKeyWithRocaVulnerability', 'Figure20'];

/** True if the gateway supports the algorithm and key of a valid vector. */
const isSupported = ({ alg, kty }: Record<string, unknown>) => {
  return kty !== 'oct' && (alg === undefined || SUPPORTED_ALGORITHMS.some((one) => one === alg));
};

for (const name of ['json_web_signature_test', 'json_web_crypto_test', 'json_web_key_test']) {
  testWithCorpus(`no invalid signature of ${name} is accepted`, async () => {
    const file = join(corpus, 'wycheproof/testvectors_v1', `${name}.json`);
    const { testGroups } = JSON.parse(readFileSync(file, 'utf8')) as { testGroups: readonly Group[] };
    const wrong: string[] = [];
    let refused = 0;
    for (const group of testGroups) {
      const published = publishedKeys(group);
      for (const { tcId, comment, jws, result, flags } of group.tests) {
        if (EXCEPTIONS.includes(comment)) continue;
        const accepted = await isAccepted(jws, published);
        const mustBeAccepted = result === 'valid' && published.every((key) => isSupported(key as never));
        if (result === 'invalid' && !accepted) refused++;
        if (accepted ? result === 'invalid' : mustBeAccepted)
          wrong.push(`${tcId} ${comment} ${result} ${flags.join()}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(5);
  });
}
