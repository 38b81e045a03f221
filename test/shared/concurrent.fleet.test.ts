import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type MemberResponse, Fleet, type Member } from '../support/fleet/fleet.ts';
import { openSharedStorage, type SharedStorage } from '../support/fleet/shared-storage.ts';
import { contractTarget } from '../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../support/raw.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';
import { until } from '../support/until.ts';

const CLIENTS = 200;
const REQUESTS_EACH = 12;
const CONCURRENT = 5;

/** A slow service that counts its concurrent requests from each gateway. */
class SlowService {
  readonly #now = [0, 0];
  readonly most = [0, 0];

  readonly handler = (req: IncomingMessage, res: ServerResponse) => {
    const gateway = Number(new URL(req.url ?? '', 'http://service').searchParams.get('gateway'));
    this.#now[gateway]!++;
    this.most[gateway] = Math.max(this.most[gateway]!, this.#now[gateway]!);
    setTimeout(
      () => {
        this.#now[gateway]!--;
        res.end('ok');
      },
      5 + Math.random() * 15,
    );
  };
}

const slow = new SlowService();
let service: HttpService;
let storage: SharedStorage;
let fleet: Fleet;
beforeAll(async () => {
  service = await serveHttp(slow.handler);
  storage = await openSharedStorage();
  fleet = await Fleet.start(2, {
    ...storage.locations,
    // Long, so that a slow machine does not look like an outage of Redis, in which each gateway counts locally.
    settings: { upstreams: [contractTarget(service.url)], redis: { commandTimeout: '2s' } },
  });
});
afterAll(async () => {
  await fleet.stop();
  await storage.release();
  await service.close();
});

const call = (member: Member, secret: string): Promise<MemberResponse> =>
  member.get(`/echo?gateway=${fleet.members.indexOf(member)}`, secret);

async function createKey(): Promise<{ id: string; secret: string }> {
  const { id, secret } = await fleet.createKey(1_000_000, 1_000_000);
  const patched = await fleet.members[0]!.admin('PATCH', `/keys/${id}`, { concurrent: CONCURRENT });
  expect(patched.body['concurrent']).toBe(CONCURRENT);
  // Each gateway learns of the key soon.
  for (const member of fleet.members) {
    await until(async () => {
      const responses = await Promise.all(Array.from({ length: CONCURRENT + 1 }, () => call(member, secret)));
      return responses.some(({ status }) => status === 429);
    });
  }
  slow.most.fill(0);
  return { id, secret };
}

test(`with 2 gateways, ${CLIENTS} clients and 1 key, the service gets at most ${CONCURRENT} requests at once from each gateway`, async () => {
  const { secret } = await createKey();
  const before = await fleet.readUsage(secret);
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const responses: MemberResponse[] = [];
    for (let time = 0; time < REQUESTS_EACH; time++) responses.push(await call(fleet.members[index % 2]!, secret));
    return responses;
  });
  const responses = (await Promise.all(clients)).flat();
  expect(slow.most).toEqual([CONCURRENT, CONCURRENT]);

  const served = responses.filter(({ status }) => status === 200);
  const refused = responses.filter(({ code }) => code === 'too_many_concurrent_requests');
  expect(served.length + refused.length).toBe(CLIENTS * REQUESTS_EACH);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([429, '1', '1000000']);
  }

  const used = (before['minute'] ?? 0) + served.length;
  expect(await fleet.readUsage(secret)).toMatchObject({ minute: used, day: used });
  const { text } = await fleet.members[0]!.get('/_gateway/usage', secret);
  expect(JSON.parse(text)).toMatchObject({ ban: null });
});

test.each([
  [
    'their key is looked up',
    100,
    (id: string, name: string) => fleet.members[0]!.admin('PATCH', `/keys/${id}`, { name }),
  ],
  ['their quota is decided on', 400, () => null],
])('the requests of clients that leave while %s no longer count', async (_when, attempts, prepare) => {
  const { id, secret } = await createKey();
  const member = fleet.members[0]!;
  const head = `GET /echo?gateway=0 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${secret}\r\n\r\n`;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // A changed key is read from the database again.
    await prepare(id, `name ${attempt}`);
    const connection = new RawConnection(member.publicUrl).send(head);
    await once(connection.socket, 'connect');
    await new Promise((resolve) => setTimeout(resolve, (3 * attempt) / attempts));
    if (attempt % 2 === 0) connection.close();
    else connection.socket.resetAndDestroy();
  }
  await until(async () => {
    const responses = await Promise.all(Array.from({ length: CONCURRENT }, () => call(member, secret)));
    return responses.every(({ status }) => status === 200);
  });
});
