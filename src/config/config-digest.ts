import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConfigDigest } from '../control-plane/system/heartbeat.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { FixedConfig, LiveConfig } from './config.ts';
import { joinSettings, redactSetting, type Setting } from './settings-in-force.ts';

/** Long enough that parts which differ practically never have the same digest. */
const DIGEST_LENGTH = 12;
/** Every gateway writes its digests to the database every ten seconds, so their number has a bound. */
const MAX_PARTS = 500;
/** Hashing this much takes less than a millisecond. Documents can have several megabytes. */
const PIECE = 256 * 1024;

/**
 * Settings in which the gateways of an installation may differ: addresses, paths, and the log level. Files count by
 * their content. The gateways share the database, whatever each of them calls it.
 */
const OWN_SETTING =
  /^(?:TOLLGATE_(?:CONFIG|DATA_DIR|(?:ADMIN_|PORTAL_)?(?:HOST|PORT)|LOG_LEVEL)|database|logLevel|plans|(?:admin\.|portal\.)?tls(?:\..*)?|portal\.(?:pages|logo)|upstreams\.[^.]+\.(?:openapi|overlays|candidate|module|tls(?:\..*)?))$/;

/**
 * Computes the digests of the configuration in force. Secrets count as set or not set. Requests are served while it
 * works.
 */
export async function digestConfig(fixed: FixedConfig, live: LiveConfig): Promise<ConfigDigest> {
  const parts = new Map<string, string>();
  // Listing the settings takes a few milliseconds, which a start does not wait for.
  await nextTurn();
  for (const [section, settings] of groupSettings(joinSettings(fixed.settings, live.settings)))
    parts.set(section, hashJson(settings));
  parts.set('plans', hashJson(live.plans));
  parts.set('portal.pages', hashJson(live.portal.pages));
  for (const { name, document, candidateDocument, service } of live.upstreams) {
    parts.set(`upstreams.${name}.openapi`, await hashTexts([document.source.text]));
    parts.set(`upstreams.${name}.overlays`, await hashTexts(document.source.overlays.map(({ text }) => text)));
    if ('authorities' in service) parts.set(`upstreams.${name}.tls.ca`, hashJson(service.authorities));
    if (candidateDocument) parts.set(`upstreams.${name}.candidate`, await hashCandidate(candidateDocument));
  }
  return Object.fromEntries(joinExcess([...parts]).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The settings of each section, by its name. Each upstream is a section of its own. */
function groupSettings(settings: readonly Setting[]): Map<string, [string, unknown][]> {
  const sections = new Map<string, [string, unknown][]>();
  for (const setting of settings) {
    if (OWN_SETTING.test(setting.name)) continue;
    const { name, value } = redactSetting(setting);
    const [first = '', second = ''] = name.split('.', 2);
    const section = first === 'upstreams' ? `${first}.${second}` : first;
    sections.set(section, [...(sections.get(section) ?? []), [name, value]]);
  }
  return sections;
}

/** Joins the parts of all upstreams if there are too many. */
function joinExcess(parts: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  if (parts.length <= MAX_PARTS) return [...parts];
  const isUpstream = ([name]: readonly [string, string]) => name.startsWith('upstreams.');
  return [...parts.filter((part) => !isUpstream(part)), ['upstreams', hashJson(parts.filter(isUpstream))]];
}

function hashCandidate({ source: { text, overlays } }: UpstreamDocument): Promise<string> {
  return hashTexts([text, ...overlays.map((overlay) => overlay.text)]);
}

async function hashTexts(texts: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const text of texts) {
    hash.update(`${text.length}:`);
    for (let start = 0; start < text.length; start += PIECE) {
      hash.update(text.slice(start, start + PIECE));
      await nextTurn();
    }
  }
  return finish(hash);
}

function hashJson(value: unknown): string {
  return finish(createHash('sha256').update(JSON.stringify(value)));
}

function finish(hash: Hash): string {
  return hash.digest('base64url').slice(0, DIGEST_LENGTH);
}
