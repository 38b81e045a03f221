import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { stringify } from 'yaml';
import { root } from '../gateway/gateway.ts';
import { unpackPreviousVersion } from '../previous/previous-version.ts';
import { freePorts } from '../servers/redis-server.ts';
import { createIssuerKey, signToken, startTokenIssuer, type TokenIssuerServer } from '../servers/token-issuer.ts';
import { tempFolder } from '../temp-folder.ts';
import { startMember, type Member, type MemberOptions } from './fleet.ts';
import { openSharedStorage, type SharedStorage } from './shared-storage.ts';

type Version = 'previous' | 'current';
/** The number of calls that the plan `tight` admits. */
export const LIMIT = 60;
const AUDIENCE = 'https://api.example.com';
const PLANS = [
  { id: 'free', name: 'Free', limits: { minute: 1_000_000, day: 10_000_000 } },
  { id: 'tight', name: 'Tight', limits: { minute: LIMIT, day: LIMIT, month: LIMIT } },
  { id: 'enterprise', name: 'Enterprise', custom: true },
];

/**
 * Runs the previous version and this one on the same PostgreSQL and Redis. Only this version accepts access tokens and
 * compares requests with the document.
 */
export class TwoVersions {
  readonly #sources = unpackPreviousVersion();
  readonly #folder = tempFolder();
  readonly #storage: SharedStorage;
  readonly #issuer: TokenIssuerServer;
  readonly #ports: Readonly<Record<Version, number>>;
  readonly #members = new Map<Version, Member>();

  private constructor(storage: SharedStorage, issuer: TokenIssuerServer, ports: Readonly<Record<Version, number>>) {
    this.#storage = storage;
    this.#issuer = issuer;
    this.#ports = ports;
  }

  /** Opens the storage and the token issuer. It does not start a gateway yet. */
  static async open(): Promise<TwoVersions> {
    const [storage, issuer] = await Promise.all([openSharedStorage(), startTokenIssuer([ISSUER_KEY.jwk])]);
    const [previous = 0, current = 0] = await freePorts(2);
    return new TwoVersions(storage, issuer, { previous, current });
  }

  get previous(): Member {
    return this.#members.get('previous')!;
  }

  get current(): Member {
    return this.#members.get('current')!;
  }

  get issuer(): string {
    return this.#issuer.url;
  }

  /** Starts a version. Its public listener has the same port at every start. */
  async start(version: Version): Promise<void> {
    const member = await startMember(join(this.#folder.path, version), {
      ...this.#storage.locations,
      settings: this.#createSettings(version),
      ...(version === 'previous' ? { sources: this.#sources.path } : {}),
      env: { TOLLGATE_PORT: String(this.#ports[version]) },
    });
    this.#members.set(version, member);
  }

  /** Starts the previous version with the settings of this one. */
  startPreviousWithTokens(): Promise<Member> {
    return startMember(join(this.#folder.path, 'refused'), {
      ...this.#storage.locations,
      settings: this.#createSettings('current'),
      sources: this.#sources.path,
    });
  }

  /** Stops a gateway in the same way as a rolling update. */
  async stop(version: Version): Promise<void> {
    const member = this.#members.get(version)!;
    member.child.kill('SIGTERM');
    expect(await member.ended()).toBe(0);
    await member.kill();
    this.expectNoErrors();
  }

  async restart(version: Version): Promise<void> {
    await this.stop(version);
    await this.start(version);
  }

  /** Asserts that neither gateway has logged an error since its last start. */
  expectNoErrors(): void {
    for (const member of this.#members.values()) {
      expect(member.logged(/./).filter(({ level }) => Number(level) >= 50)).toEqual([]);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members.values()].map((member) => member.kill()));
    await this.#storage.release();
    this.#issuer.stop();
    this.#folder.remove();
    this.#sources.remove();
  }

  createToken(app: string): string {
    const claims = { iss: this.#issuer.url, aud: AUDIENCE, azp: app, exp: Math.floor(Date.now() / 1000) + 3600 };
    return signToken(ISSUER_KEY, { alg: ISSUER_KEY.alg, kid: ISSUER_KEY.jwk.kid }, claims);
  }

  #createSettings(version: Version): NonNullable<MemberOptions['settings']> {
    const plans = join(this.#folder.path, 'plans.yaml');
    writeFileSync(plans, stringify({ plans: PLANS }));
    const service = join(root, 'test/support/services/lifecycle');
    return {
      plans,
      upstreams: [
        {
          name: 'slow',
          openapi: `${service}.openapi.yaml`,
          module: `${service}-service.ts`,
          ...(version === 'current' ? { validation: 'report' } : {}),
        },
      ],
      portal: { enabled: true },
      // On a slow machine, a burst of calls takes longer than `bans.grace`, so its refused calls count as strikes. The
      // limit is high enough that they cause no ban.
      bans: { strikes: 1000 },
      // The timeout is long, because on a slow machine, Redis would seem to be down, and each gateway would then count
      // on its own.
      redis: { commandTimeout: '20s' },
      guard: { failedAttempts: 1000 },
      ...(version === 'current' ? { tokens: [{ name: 'corp', issuer: this.#issuer.url, audience: [AUDIENCE] }] } : {}),
    };
  }
}

const ISSUER_KEY = createIssuerKey('ES256', 'ec');

/**
 * Calls the admin API. Fails unless the response is a success.
 *
 * @returns the body of the response
 */
export async function callAdminApi(
  member: Member,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await member.admin(method, path, body);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

export async function callWithToken({ publicUrl }: Member, token: string, path = '/now'): Promise<number> {
  const response = await fetch(new URL(path, publicUrl), { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return response.status;
}

/**
 * A user of the portal. The responses are not compared with a document, because the previous version has another one.
 */
export class PortalUser {
  readonly #url: string;
  #cookie = '';

  private constructor(url: string) {
    this.#url = url;
  }

  /** Signs in with a link that an operator creates. */
  static async signIn(member: Member, accountId: string): Promise<PortalUser> {
    const { url } = await callAdminApi(member, 'POST', `/accounts/${accountId}/sign-in-link`, {});
    const user = new PortalUser(member.portalUrl);
    const { status } = await user.post('/session', { token: String(url).split('#token=')[1] });
    expect(status).toBe(201);
    return user;
  }

  async post(path: string, body: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const { origin } = new URL(this.#url);
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Origin: origin };
    const response = await fetch(new URL(`/api${path}`, this.#url), {
      method: 'POST',
      headers: { ...headers, ...(this.#cookie === '' ? {} : { Cookie: this.#cookie }) },
      body: JSON.stringify(body),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.#cookie = set.split(';', 1)[0] ?? '';
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
}
