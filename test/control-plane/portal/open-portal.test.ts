import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { StartError } from '../../../src/base/error-types.ts';
import { readLogo } from '../../../src/config/logo.ts';
import { openPortal } from '../../../src/control-plane/portal/open-portal.ts';
import { testConfig } from '../../support/gateway/gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const logs: string[] = [];
const logger = pino({}, { write: (line: string) => void logs.push(line) });
const open = async (settings: object) => {
  const { portal } = testConfig(folder.path, { settings: { portal: settings } }).fixed;
  const logo = portal.logo === undefined ? null : readLogo(portal.logo);
  return openPortal({ ...portal, logo }, logger, { folder: join(folder.path, 'none') });
};

test('the logo of the portal is embedded in the page, and the log says if the pages are missing', async () => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  writeFileSync(join(folder.path, 'logo.svg'), picture);
  const { look, hasPages } = await open({ enabled: true, title: 'Acme', accent: '#0a7d4f', logo: 'logo.svg' });
  const logo = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
  expect(look).toEqual({ title: 'Acme', logo, accent: '#0a7d4f' });
  expect(hasPages).toBe(false);
  expect(logs.join()).toContain('npm run prepare');
});

test.each([
  ['missing.png', /portal\.logo: .*missing\.png cannot be read/],
  ['logo.gif', /portal\.logo: .*logo\.gif must be a PNG or SVG file/],
  ['large.png', /portal\.logo: .*large\.png is larger than the maximum of 102400 bytes/],
])('the portal does not start with the logo %s', async (logo, message) => {
  writeFileSync(join(folder.path, 'large.png'), Buffer.alloc(102_401));
  const refused = open({ enabled: true, logo });
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(message);
});
