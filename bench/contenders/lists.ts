import { startGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { toRunningContender, type Contender, type Running } from './contender.ts';

/** The successor of the deprecated lookup of one pet. */
export const listById: Contender = {
  name: 'list-by-id',
  title: '**Tollgate**, a list of one pet (`/pets?id=1`), embedded store',
  start: (lab) => startListingGateway(lab, '/pets?id=1'),
};

export const listPage: Contender = {
  name: 'list-page',
  title: '**Tollgate**, a page of 20 pets, embedded store',
  start: (lab) => startListingGateway(lab, '/pets?limit=20'),
};

async function startListingGateway(lab: Lab, path: string): Promise<Running> {
  const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process' });
  const running = toRunningContender(gateway, await gateway.createKey());
  // With these pets and those of the first start, there is more than one page.
  for (let created = 0; created < 20; created++) await createPet(gateway.publicUrl, running.headers);
  const url = gateway.publicUrl + path;
  const response = await fetch(url, { headers: running.headers });
  return { ...running, url, responseBytes: (await response.text()).length };
}

async function createPet(url: string, headers: Running['headers']): Promise<void> {
  const response = await fetch(`${url}/pets`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  });
  if (response.status !== 201) throw new Error(`no pet could be made: ${await response.text()}`);
}
