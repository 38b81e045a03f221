import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { ClientAddress } from './client-address.ts';
import { ANSWERED, type Exchange, type Outcome } from './exchange.ts';
import type { PermissionOf } from './permission.ts';
import type { Tunnel } from './tunnel.ts';
import type { Tunnels } from './tunnels.ts';

export interface UpgradeSettings {
  readonly tunnels: Tunnels;
  readonly permissionOf: PermissionOf;
  readonly clientAddress: ClientAddress;
}

/** Hands a WebSocket handshake to its upstream, after the same steps as any request. */
export type Upgrade = (exchange: Exchange, tunnel: Tunnel, rewrite: () => UpstreamRequest) => Promise<Outcome>;

export function createUpgrade({ tunnels, permissionOf, clientAddress }: UpgradeSettings): Upgrade {
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
}
