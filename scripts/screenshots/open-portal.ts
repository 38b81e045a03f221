import type { ConsoleUnderTest } from '../../test/console/support/console.ts';
import { type BrowserPage, openPage, waitUntilSettled } from '../../test/support/browser/browser-page.ts';
import type { TestGateway } from '../../test/support/gateway/gateway.ts';

/** Opens the portal in a browser, signed in to the account of an owner. Creates the account if there is none. */
export async function openPortal(
  { browser, gateway }: ConsoleUnderTest,
  owner: string,
  nowMs: number,
): Promise<BrowserPage> {
  const { items } = await callAdmin(gateway, 'GET', '/v1/accounts');
  const account = { owner, name: owner, email: null, plan: 'pro' };
  const { id } =
    items.find((one: typeof account) => one.owner === owner) ??
    (await callAdmin(gateway, 'POST', '/v1/accounts', account));
  const { url } = await callAdmin(gateway, 'POST', `/v1/accounts/${id}/sign-in-link`, {});
  const portalPage = await openPage(browser, { url, nowMs, base: '' });
  await portalPage.page.getByRole('button', { name: /^Sign in as/ }).click();
  await waitUntilSettled(portalPage.page);
  return portalPage;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the API's own tests hold its answers to its document
async function callAdmin(gateway: TestGateway, method: string, path: string, json?: object): Promise<any> {
  const response = await gateway.admin(path, { method, ...(json === undefined ? {} : { body: JSON.stringify(json) }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}
