/**
 * Settings of the portal name plans, which operators can delete or change. If a named plan cannot be used, the gateway
 * logs a warning.
 */
import { expect, test } from '@jest/globals';
import { startPortal } from '../../support/gateway/portal.ts';
import { until } from '../../support/until.ts';

const warnings = (logs: readonly string[]) =>
  logs.map((line) => JSON.parse(line)).flatMap(({ level, warning }) => (level === 40 ? [warning as string] : []));

test('a missing or custom plan in the settings of the portal causes a warning at the start', async () => {
  const portal = await startPortal({
    settings: {
      portal: {
        signUp: 'open',
        plan: 'trial',
        requestablePlans: ['pro', 'gone', 'enterprise'],
        url: 'https://portal.example.com',
        oidc: { issuer: 'https://login.example.com', clientId: 'portal', clientSecret: '${PORTAL_SECRET}' },
      },
    },
    env: { PORTAL_SECRET: 'of-the-client' },
  });
  try {
    await until(() => warnings(portal.gateway.logs).length >= 3);
    expect(warnings(portal.gateway.logs)).toEqual([
      'portal.plan names the plan trial, which does not exist, so sign-up is disabled: create it (tollgate plans apply ' +
        'FILE), or use a plan that "tollgate plans list" shows',
      'portal.requestablePlans names the plan gone, which does not exist, so it cannot be requested: create it (tollgate ' +
        'plans apply FILE), or use a plan that "tollgate plans list" shows',
      'portal.requestablePlans names the plan enterprise, which is custom, so it cannot be requested: use a plan that ' +
        'has limits',
    ]);
  } finally {
    await portal.stop();
  }
});

test('portal.plan is not checked if only operators create accounts', async () => {
  const portal = await startPortal({ settings: { portal: { plan: 'trial', requestablePlans: ['gone'] } } });
  try {
    await until(() => warnings(portal.gateway.logs).length > 0);
    expect(warnings(portal.gateway.logs)).toEqual([
      expect.stringContaining('portal.requestablePlans names the plan gone'),
    ]);
  } finally {
    await portal.stop();
  }
});
