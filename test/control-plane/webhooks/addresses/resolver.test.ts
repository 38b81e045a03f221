import { expect, test } from '@jest/globals';
import { createResolve } from '../../../../src/control-plane/webhooks/addresses/resolver.ts';

test("the host's own names are found where private addresses are allowed", async () => {
  const addresses = await createResolve(true)('localhost');
  expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...addresses]));
  expect(addresses.length).toBeGreaterThan(0);
});

test.each([true, false])('a name that leads nowhere is refused (%j)', async (withHostNames) => {
  await expect(createResolve(withHostNames)('nowhere.invalid')).rejects.toThrow(/nowhere\.invalid/);
});
