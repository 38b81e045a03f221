import { z } from 'zod';
import { ALWAYS } from './always.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Faults } from '../base/faults.ts';
import type { YamlFile } from '../base/yaml-file.ts';

function isPrivateUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Secrets go to such a URL. */
const privateUrl = z
  .string()
  .refine(isPrivateUrl, 'must be an https:// URL (http:// on a loopback address) without query, fragment or user');

const text = z.string().min(1, 'must not be empty');
const names = z.array(text).default([]);

const oidc = z
  .strictObject({
    issuer: privateUrl,
    clientId: text,
    clientSecret: text,
    claim: text.default('groups'),
    admins: names,
    viewers: names,
  })
  .refine(({ admins, viewers }) => admins.length + viewers.length > 0, {
    path: ['admins'],
    message: 'must name somebody, or viewers must: else nobody may sign in',
  });

export const adminListenerSchema = z
  .strictObject({ url: privateUrl.optional(), oidc: oidc.optional() })
  .refine((admin) => admin?.oidc === undefined || admin.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, people come back to it from their provider',
  });

/** Checks what the schema cannot see: how the client's secret is written in the file. */
export function checkClientSecret(yaml: YamlFile, faults: Faults): void {
  const written: unknown = Object(Object(Object(yaml.value).admin).oidc).clientSecret;
  if (typeof written !== 'string' || /^\$\{\w+\}$/.test(written)) return;
  faults.add(
    yaml.locate(['admin', 'oidc', 'clientSecret']),
    'admin.oidc.clientSecret',
    'must be ${NAME}, a variable of the environment: a secret in this file gets into copies and backups of it',
  );
}
