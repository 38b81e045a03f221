import type { TestGateway } from '../../support/gateway/gateway.ts';

/** Text that would do harm if it were taken for anything but text, and breaks a careless layout. */
export const HOSTILE = {
  name: `<img src=x onerror="document.title='pwned'">'"\`\u202egnp.exe\u202c 🎉👩‍👩‍👧 ${'W'.repeat(60)}`,
  owner: `"><script>document.title='pwned'</script>`,
  reason: `=HYPERLINK("javascript:alert(1)") ${'long'.repeat(100)} <b onmouseover=alert(1)>`,
  metadata: { link: 'javascript:document.title="pwned"', long: 'x'.repeat(500) },
} as const;

export interface Scene {
  readonly hostileId: string;
  readonly bannedId: string;
  /** Of a request that was refused. */
  readonly requestId: string;
}

interface Created {
  readonly id: string;
  readonly key: string;
}

/** Fills a gateway with something of everything that a screen shows. */
export async function setScene(gateway: TestGateway): Promise<Scene> {
  const create = async (body: object, reason = 'scene') => {
    const headers = { 'X-Change-Reason': Buffer.from(reason).toString('latin1') };
    const answer = await gateway.admin('/v1/keys', { method: 'POST', body: JSON.stringify(body), headers });
    if (answer.status !== 201) throw new Error(await answer.text());
    return (await answer.json()) as Created;
  };
  const { name, owner, reason, metadata } = HOSTILE;
  const hostile = await create({ name, owner, plan: 'free', metadata }, reason);
  const banned = await create({ name: 'Banned', owner: 'acme', plan: 'free' });
  const caller = await create({ name: 'Caller', owner: 'acme', plan: 'free' });
  const ban = { method: 'PUT', body: JSON.stringify({ seconds: 3600, reason }) };
  await gateway.admin(`/v1/keys/${banned.id}/ban`, ban);
  await gateway.admin(`/v1/keys/${hostile.id}/ban`, ban);
  await gateway.admin(`/v1/keys/${hostile.id}/ban`, { method: 'DELETE', body: JSON.stringify({ reason }) });
  for (const path of ['/pets', '/pets/1', '/nothing']) await gateway.call(path, { key: caller.key });
  const refused = await gateway.call('/pets', { key: banned.key, headers: { 'X-Request-Id': 'refused-of-the-scene' } });
  await refused.text();
  await counted(gateway, 4);
  return { hostileId: hostile.id, bannedId: banned.id, requestId: 'refused-of-the-scene' };
}

/** Waits until so many calls are in the history. */
export async function counted(gateway: TestGateway, calls: number, filter = ''): Promise<void> {
  for (;;) {
    const answer = await gateway.admin(`/v1/usage?${filter}`);
    const { series } = (await answer.json()) as { series: { totals: { requests: number } }[] };
    if ((series[0]?.totals.requests ?? 0) >= calls) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
