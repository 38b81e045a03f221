import { afterAll, beforeAll } from '@jest/globals';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { fromOneAddress, limitsChanges } from './request-limit.contract.ts';

let portal: Portal;
beforeAll(async () => {
  // The clock returns a later time at each call, so that no two changes have the same time.
  let now = Date.now();
  portal = await startPortal({ clock: () => ++now, settings: fromOneAddress });
});
afterAll(() => portal.stop());

limitsChanges(600, () => portal);
