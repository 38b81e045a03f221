import { StoreUnavailable } from '../../base/error-types.ts';
import type { BanView } from '../../data-plane/boundary-types.ts';
import { BAN_START, type BanRecord, toBanRecord, identifyBan, readStart, findStartMessage } from './ban-record.ts';
import type { Registry } from './registry.ts';

/** An active ban as consumers see it. */
interface BanForConsumers extends BanRecord {
  /** Always null, because reasons are for operators. Consumers used to get the reason, so the field remains. */
  readonly reason: null;
  /** Null if the ban has no message, or if the message cannot be read now. */
  readonly message: string | null;
}

/** Number of bans to read. The active ban is among the latest bans of its quota. */
const MAX_BANS_READ = 10;

export async function toBanForConsumers(
  registry: Pick<Registry, 'listAudit'>,
  quotaId: string,
  ban: BanView | null,
): Promise<BanForConsumers | null> {
  if (ban === null) return null;
  return { ...toBanRecord(ban), reason: null, message: await loadMessage(registry, quotaId, ban) };
}

async function loadMessage(
  registry: Pick<Registry, 'listAudit'>,
  quotaId: string,
  ban: BanView,
): Promise<string | null> {
  try {
    const { items } = await registry.listAudit({ subject: quotaId, action: BAN_START }, { limit: MAX_BANS_READ });
    const start = items.find((entry) => identifyBan(readStart(entry)) === identifyBan(toBanRecord(ban)));
    return start === undefined ? null : findStartMessage(start);
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}
