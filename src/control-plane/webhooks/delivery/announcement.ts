import type { Announce } from '../../../storage/database.ts';

const ANNOUNCEMENT = 'deliveries';

/** Says that deliveries may be due. */
export function tellOfDeliveries(announce: Announce): void {
  announce(ANNOUNCEMENT);
}

/** Whether a database message is about deliveries that may be due; null says that some may have been missed. */
export function tellsOfDeliveries(message: string | null): boolean {
  return message === null || message === ANNOUNCEMENT;
}
