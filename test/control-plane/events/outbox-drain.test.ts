import { expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function listEvents(
  gateway: TestGateway,
  type: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  return ((await (await gateway.admin(`/v1/events?type=${type}`)).json()) as { items: [] }).items;
}

test('events of the last requests are stored before the gateway stops', async () => {
  const folder = tempFolder();
  const dataDir = folder.path;
  const first = await startTestGateway({ dataDir });
  const calls = Array.from({ length: 61 }, () => first.call('/pets'));
  expect((await Promise.all(calls)).at(-1)?.status).toBe(429);
  await first.stop();
  expect(first.logs.filter((line) => /could not be written|are lost/.test(line))).toEqual([]);
  const second = await startTestGateway({ dataDir });
  const levels = (await listEvents(second, 'quota.threshold')).map(({ data }) => data['level']);
  await second.stop();
  folder.remove();
  expect(levels).toEqual([100, 80]);
});
