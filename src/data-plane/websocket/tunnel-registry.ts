import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { type Credential, findCredentialFault } from '../../domain/credential.ts';
import type { Clock } from '../../base/time.ts';
import { type ClientAddress, isAllowedFrom } from '../../http/addresses.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { Match } from '../../openapi/operation-router.ts';
import type { AdmissionStore } from '../admission/store.ts';
import { EventStream } from '../responses/event-stream.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import { includesOperation } from '../../openapi/operation-selectors.ts';
import type { TokenVerifier, VerifiedToken } from '../tokens/token-verifier.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './frames.ts';
import type { Tunnel } from './tunnel.ts';

interface TunnelRegistryOptions {
  /** Maximum number of open tunnels for one quota or, if there is no key, one IPv4 address or IPv6 /64. */
  readonly maxPerKey: number;
  /** A tunnel is closed after this long without a byte in either direction. */
  readonly idleMs: number;
  readonly logger: Logger;
}

/**
 * The connections that stay open long after their request was admitted: tunnels and event streams. Both are closed by a
 * drain, when their key or access token would no longer be admitted, or when the token expires. Tunnels are also limited
 * per caller, and closed when idle. Event streams may be idle for as long as their upstream wants.
 */
export class TunnelRegistry {
  readonly #options: TunnelRegistryOptions;
  readonly #open = new Set<CheckedConnection>();
  readonly #counts = new Map<string, number>();
  #draining = false;
  #stopChecks: (() => void) | null = null;

  constructor(options: TunnelRegistryOptions) {
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  hasRoom(callerId: string): boolean {
    return (this.#counts.get(callerId) ?? 0) < this.#options.maxPerKey;
  }

  /**
   * Adds a tunnel. It is removed when its connection closes.
   *
   * @returns a function that removes it earlier, for a handshake that was refused
   */
  add(callerId: string, tunnel: Tunnel, permission: Permission): () => void {
    const activity = { bytes: 0, at: performance.now() };
    const untrack = this.#track({ connection: tunnel, permission, activity });
    this.#counts.set(callerId, (this.#counts.get(callerId) ?? 0) + 1);
    const remove = () => {
      if (!untrack()) return;
      const remainingCount = (this.#counts.get(callerId) ?? 1) - 1;
      if (remainingCount > 0) this.#counts.set(callerId, remainingCount);
      else this.#counts.delete(callerId);
    };
    tunnel.socket.once('close', () => {
      remove();
      // A service can emit `close` on an open socket. Nothing else would close that socket anymore.
      tunnel.socket.destroy();
    });
    return remove;
  }

  /** @param res an event stream whose head has been written */
  addEventStream(res: ServerResponse, permission: Permission): void {
    const connection = new EventStream(res);
    const untrack = this.#track({ connection, permission, activity: null });
    res.once('close', () => void untrack());
    // The stream is not closed immediately, because the service may be about to write the data after the head.
    if (this.#draining) setImmediate(() => connection.close());
  }

  /** Asks all consumers to disconnect, and closes the remaining connections after the deadline. */
  drain(deadlineMs: number): void {
    this.#draining = true;
    for (const { connection } of this.#open) connection.close(GOING_AWAY);
    setTimeout(() => {
      for (const { connection } of this.#open) connection.socket.destroy();
    }, deadlineMs).unref();
  }

  /** @returns a function that removes the entry; it returns false if the entry was already removed */
  #track(entry: CheckedConnection): () => boolean {
    this.#open.add(entry);
    const { idleMs, logger } = this.#options;
    this.#stopChecks ??= checkRegularly(this.#open, idleMs, logger);
    return () => {
      const wasOpen = this.#open.delete(entry);
      if (this.#open.size === 0) {
        this.#stopChecks?.();
        this.#stopChecks = null;
      }
      return wasOpen;
    };
  }
}

/** Time between two checks of the open connections. */
const CHECK_MS = 1000;
/** Time between two checks for expired access tokens. They are more frequent, because they read nothing but the clock. */
const EXPIRY_CHECK_MS = 250;

/** A tunnel or event stream. */
interface LongLivedConnection {
  readonly socket: Socket;
  /** @param code the reason, as a WebSocket close code (RFC 6455, 7.4.1) */
  close(code: number): void;
}

interface CheckedConnection {
  readonly connection: LongLivedConnection;
  readonly permission: Permission;
  /** Null if the connection is not closed when idle. */
  readonly activity: Activity | null;
}

interface Activity {
  bytes: number;
  /** When `bytes` last changed, in ms by `performance.now()`. */
  at: number;
}

/**
 * Checks all open connections once a second. Closes connections that have been idle for too long, and connections whose
 * key would no longer be admitted: the key is revoked, disabled, expired or banned, or the operation or address is no
 * longer allowed. Also closes connections whose access token has expired or is no longer accepted. A timer for each of
 * them would be no simpler: tokens may be valid for longer than timers can run.
 *
 * @param idleMs maximum time without a byte in either direction: the setting `edge.tunnelIdle`
 * @returns a function that ends the checks
 */
function checkRegularly(open: Iterable<CheckedConnection>, idleMs: number, logger: Logger): () => void {
  const expiryTimer = setInterval(() => {
    for (const { connection, permission } of open) if (permission.isExpired()) connection.close(POLICY_VIOLATION);
  }, EXPIRY_CHECK_MS);
  const timer = setInterval(() => {
    const now = performance.now();
    for (const checked of open) {
      closeIfIdle(checked, idleMs, now);
      closeIfRevoked(checked, logger);
    }
  }, CHECK_MS);
  return () => {
    clearInterval(expiryTimer);
    clearInterval(timer);
  };
}

function closeIfIdle({ connection, activity }: CheckedConnection, idleMs: number, now: number): void {
  if (activity === null) return;
  const { bytesRead, bytesWritten } = connection.socket;
  const bytes = bytesRead + bytesWritten;
  if (bytes !== activity.bytes) Object.assign(activity, { bytes, at: now });
  else if (now - activity.at >= idleMs) connection.close(GOING_AWAY);
}

function closeIfRevoked({ connection, permission }: CheckedConnection, logger: Logger): void {
  permission.isStillAllowed().then(
    (allowed) => {
      if (!allowed) connection.close(POLICY_VIOLATION);
    },
    // It is unknown whether the connection is still allowed, so it stays open until the next check.
    (error: unknown) => logger.debug({ err: error }, 'could not check a connection'),
  );
}

/** The checks that a connection must keep passing after its request was admitted. */
interface Permission {
  /**
   * Whether the key and the access token of the request would still be admitted. Rejects if that cannot be determined at
   * the moment.
   */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Whether the access token of the request has expired. */
  readonly isExpired: () => boolean;
}

export type CreatePermission = (exchange: AdmittedRequest) => Permission;

/** The parts of an exchange that the checks need. */
interface AdmittedRequest {
  readonly keyHash: string | null;
  readonly credential: Credential | null;
  readonly token: VerifiedToken | null;
  readonly tokenText: string;
  readonly match: Match<{ readonly operation: Operation }>;
  readonly req: IncomingMessage;
}

export interface PermissionDependencies {
  readonly credentialCache: CredentialCache;
  readonly store: AdmissionStore;
  readonly clientAddress: ClientAddress;
  /** The verifier in use, which a reload replaces; null if no tokens are configured. */
  readonly findVerifier: () => Pick<TokenVerifier, 'confirm'> | null;
  readonly clock: Clock;
}

export function createPermissionFactory(dependencies: PermissionDependencies): CreatePermission {
  const { credentialCache, store, clientAddress, findVerifier, clock } = dependencies;
  return (exchange) => {
    const [isKeyAllowed, isTokenAccepted] = [createKeyCheck(exchange), createTokenCheck(exchange)];
    return {
      isStillAllowed: async () => isTokenAccepted() && isKeyAllowed(),
      isExpired: createExpiryCheck(exchange),
    };
  };

  /** A reload can remove or change the issuer of the token, and the issuer can withdraw its key. */
  function createTokenCheck({ token, tokenText }: AdmittedRequest): () => boolean {
    if (token === null) return () => true;
    let confirmed: VerifiedToken | false = token;
    return () => {
      confirmed = confirmed !== false && (findVerifier()?.confirm(tokenText, confirmed) ?? false);
      return confirmed !== false;
    };
  }

  /**
   * The token of a connection ends with `exp`, not later: the leeway is for clocks that differ. A token that is used within
   * the leeway lasts until the end of it, so that the connection is not closed at once.
   */
  function createExpiryCheck({ token }: AdmittedRequest): Permission['isExpired'] {
    if (token === null) return () => false;
    const { expiresAt, validUntil } = token;
    const endsAt = clock() < expiresAt ? expiresAt : validUntil;
    return () => clock() >= endsAt;
  }

  function createKeyCheck({ keyHash, credential: admitted, match, req }: AdmittedRequest): () => Promise<boolean> {
    if (keyHash === null) return () => Promise.resolve(true);
    const presented = admitted?.kind === 'token' ? 'token' : 'secret';
    // The address is read now, because it is no longer available when the connection is closed.
    const address = clientAddress(req);
    return async () => {
      const credential = await credentialCache.lookUp(keyHash, presented);
      if (credential === null || findCredentialFault(credential, clock) !== null) return false;
      if (credential.addresses !== null && !isAllowedFrom(credential.addresses, address)) return false;
      if (match.kind === 'operation' && !includesOperation(credential, match.route.operation)) return false;
      const { ban } = await store.inspect(credential.quotaId, credential.limits);
      // In shadow mode, only a manual ban applies, just as for requests.
      return ban === null || (credential.mode === 'shadow' && !ban.manual);
    };
  }
}
