import { Faults } from '../../../src/base/configuration-faults.ts';
import { parseUpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { writeEvents } from '../history/sample.ts';
import { createNewKey } from '../registry-data.ts';
import { type Admin, startAdmin } from './admin.ts';
import { createDocument } from './reloading-gateway.ts';

export const IN_FORCE = createDocument({ pets: {}, orders: {}, stores: {} });
/** The next version of the document: `GET /pets` and `GET /stores` are removed, and `GET /toys` is new. */
export const NEXT = createDocument({ orders: {}, toys: {} });

/**
 * Starts an admin API with the upstream `shop`, whose `GET /pets` was called by two owners.
 *
 * @param inForce the document of the upstream
 */
export async function startCalledShop(inForce: object = IN_FORCE): Promise<Admin> {
  const faults = new Faults();
  const document = parseUpstreamDocument('shop.yaml', { text: JSON.stringify(inForce), overlays: [] }, {}, faults);
  faults.throwIfAny();
  const admin = await startAdmin({ services: [{ name: 'shop', document }] });
  await recordCalls(admin, ['pets', 'pets', 'orders'], 'acme');
  await recordCalls(admin, ['pets'], 'globex');
  return admin;
}

/** Records calls that an owner made with a new key. */
export async function recordCalls(
  admin: Admin,
  operations: readonly string[],
  owner: string,
  agoMs = 60_000,
): Promise<void> {
  const key = createNewKey({ owner });
  await admin.registry.createKeys([key], { actor: 'test', reason: null, at: 1 });
  const at = admin.time.now - agoMs;
  const common = { key: key.id, outcome: 'forwarded', statusClass: 2, units: 1, refusedUnits: 0, durationMs: 1 };
  await writeEvents(
    admin.history,
    // Each key is the name of a writer, because every recorder starts its sequence at 1.
    key.id,
    operations.map((operation) => ({ at, operation, ...common })),
  );
}
