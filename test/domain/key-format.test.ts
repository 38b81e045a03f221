import { describe, expect, test } from '@jest/globals';
import {
  computeChecksum,
  generateKeyId,
  generateSecret,
  hashSecret,
  isWellFormed,
  createKeyPreview,
} from '../../src/domain/key-format.ts';

// The values were computed with Python (zlib.crc32, hashlib.sha256, base64), independently of this code.
const KNOWN = [
  ['tg_live_000000000000000000000000000000002XLEWX', '2OhQ87Z6Swco8D-H18rAWBMfj5CiM5zyQ1Z4-TAq9RA'],
  ['tg_live_ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ3QiJpi', 'wdESR6gTfNxlnvyTr0PajtnJ0RMWqA0Mh8gcxkeTMv8'],
  ['tg_live_0123456789ABCDEFGHIJKLMNOPQRSTUV2ALRRa', 'KxMQFWQrKzmx28GjjhmklrqgFVOAWktU03XGkWyulU8'],
  ['tg_live_abcdefghijklmnopqrstuvwxyz0123451JwafV', '_KO3kvwqkQcMWqZFE97N5AtCv7o7QRrmX3x880cLuLM'],
] as const;
const [SAMPLE] = KNOWN[3];

test.each(KNOWN)('%s is well formed, and its hash is known', (secret, hash) => {
  expect(isWellFormed(secret)).toBe(true);
  expect(computeChecksum(secret.slice(0, 40))).toBe(secret.slice(40));
  expect(hashSecret(secret)).toBe(hash);
});

test('the checksum is padded with zeros, and is the CRC-32 of IEEE', () => {
  expect(computeChecksum('tg_live_4IACapFIHTeGEZzT50YWDOcqfvB6bURU')).toBe('000iNT');
  expect(isWellFormed('tg_live_4IACapFIHTeGEZzT50YWDOcqfvB6bURU000iNT')).toBe(true);
  // The check value of CRC-32 is 0xCBF43926, here in base62.
  expect(computeChecksum('123456789')).toBe('3jZRME');
  expect(computeChecksum('')).toBe('000000');
});

test('a generated secret is well formed, and shows the first twelve and last four characters', () => {
  const secret = generateSecret();
  expect(secret).toMatch(/^tg_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormed(secret)).toBe(true);
  expect(createKeyPreview(secret)).toEqual({
    hash: hashSecret(secret),
    prefix: secret.slice(0, 12),
    lastFour: secret.slice(42),
  });
  expect(generateSecret()).not.toBe(secret);
});

test('a key id is key_ and 20 base62 characters', () => {
  expect(generateKeyId()).toMatch(/^key_[0-9A-Za-z]{20}$/);
  expect(generateKeyId()).not.toBe(generateKeyId());
});

test('all digits are equally likely', () => {
  const counts = new Map<string, number>();
  const draws = 62 * 1000;
  for (let drawn = 0; drawn < draws; drawn += 20) {
    for (const digit of generateKeyId().slice(4)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // The limit is eight standard deviations. With `byte % 62`, eight digits would occur 25% more often.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
});

describe('a string is not a key of this gateway if it has', () => {
  test('one changed character, or two swapped adjacent characters', () => {
    for (let index = 0; index < SAMPLE.length; index++) {
      const other = SAMPLE[index] === 'x' ? 'y' : 'x';
      expect(isWellFormed(SAMPLE.slice(0, index) + other + SAMPLE.slice(index + 1))).toBe(false);
      const [first, second] = [SAMPLE[index], SAMPLE[index + 1]];
      if (second === undefined || first === second) continue;
      expect(isWellFormed(SAMPLE.slice(0, index) + second + first + SAMPLE.slice(index + 2))).toBe(false);
    }
  });

  test.each([
    ['', 'empty'],
    ['tg_live_', 'the prefix alone'],
    [SAMPLE.slice(0, -1), 'too short'],
    [`${SAMPLE}0`, 'too long'],
    [` ${SAMPLE}`, 'padded'],
    [SAMPLE.replace('tg_live_', 'tg_test_'), 'another prefix'],
    [SAMPLE.toUpperCase(), 'upper case'],
  ])('%j: %s', (text) => {
    expect(isWellFormed(text)).toBe(false);
  });

  test('other characters with a correct checksum', () => {
    for (const odd of ['-', '_', ' ', 'é', '\0', '@', '[', '`', '{', '/', ':']) {
      const checked = `tg_live_${odd}${'0'.repeat(31)}`;
      expect(isWellFormed(checked + computeChecksum(checked))).toBe(false);
    }
  });

  test('a checksum that exceeds 32 bits', () => {
    expect(isWellFormed(`${SAMPLE.slice(0, 40)}zzzzzz`)).toBe(false);
  });
});
