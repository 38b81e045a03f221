import type { AdmissionStore, Clock } from '../admission/store.ts';
import type { Directory } from '../registry/directory.ts';
import { hashSecret } from '../registry/key-format.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { ClientAddress } from './client-address.ts';
import { ANSWERED, type Exchange, type Outcome } from './exchange.ts';
import { presentedKey } from './presented-key.ts';
import type { Tunnel } from './tunnel.ts';
import type { Tunnels } from './tunnels.ts';

export interface UpgradeSettings {
  readonly tunnels: Tunnels;
  readonly directory: Directory;
  readonly store: AdmissionStore;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

/** Hands a WebSocket handshake to its upstream, after the same steps as any request. */
export type Upgrade = (exchange: Exchange, tunnel: Tunnel, rewrite: () => UpstreamRequest) => Promise<Outcome>;

export function createUpgrade({ tunnels, directory, store, clientAddress, clock }: UpgradeSettings): Upgrade {
  return async function upgrade(exchange, tunnel, rewrite) {
    if (exchange.match.kind !== 'operation') throw new Error('upgrade comes after unmatched');
    const { upstream } = exchange.match.route;
    if (upstream.upgrade === null) return { code: 'upgrade_not_supported' };
    // An upgraded connection would outlast the drain.
    if (tunnels.draining) return { code: 'shutting_down' };
    const party = exchange.credential?.quotaId ?? clientAddress(exchange.req);
    if (!tunnels.hasRoom(party)) return { code: 'too_many_connections' };
    tunnels.add(party, tunnel, permissionOf(exchange));

    const { res } = exchange;
    const request = rewrite();
    request.headers.push('Connection', 'Upgrade', 'Upgrade', 'websocket');
    res.detachSocket(tunnel.socket);
    tunnel.handOver(exchange.headers, (status) => {
      res.statusCode = status;
      res.emit('close');
    });
    try {
      await upstream.upgrade(request, tunnel);
    } catch (error) {
      tunnel.takeBack();
      if (res.statusCode === 101) tunnel.socket.destroy();
      else if (!tunnel.socket.destroyed) res.assignSocket(tunnel.socket);
      throw error;
    }
    return ANSWERED;
  };

  /** Whether the key of a request would still be let in. */
  function permissionOf({ req, credential: known }: Exchange): () => Promise<boolean> {
    const key = presentedKey(req.rawHeaders);
    if (known === null || typeof key !== 'string') return () => Promise.resolve(true);
    const hash = hashSecret(key);
    return async () => {
      const credential = await directory.lookUp(hash);
      if (credential?.status !== 'active') return false;
      if (credential.expiresAt !== null && credential.expiresAt <= clock()) return false;
      const { ban } = await store.inspect(credential.quotaId, credential.limits);
      return ban === null;
    };
  }
}
