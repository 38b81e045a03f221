import { type ClientAddress, toNetwork } from '../../http/addresses.ts';
import type { HeaderRules } from '../responses/merge-headers.ts';
import { UpstreamError } from '../upstreams/upstream-error.ts';
import type { TunnelEnd, Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { RESPONDED, type Exchange, type StepResult } from '../exchange/exchange.ts';
import type { CreatePermission, TunnelRegistry } from '../websocket/tunnel-registry.ts';
import type { Tunnel } from '../websocket/tunnel.ts';

interface UpgradeDependencies {
  readonly tunnels: TunnelRegistry;
  readonly createPermission: CreatePermission;
  readonly clientAddress: ClientAddress;
  readonly chooseHeaderRules: (exchange: Exchange) => HeaderRules;
  /** Lets an upstream write the response without losing the gateway's headers. */
  readonly protect: (exchange: Exchange) => void;
}

/** Passes a WebSocket handshake to its upstream. */
export type Upgrade = (
  exchange: Exchange,
  tunnel: Tunnel,
  upstream: Upstream,
  rewrite: () => UpstreamRequest,
) => Promise<StepResult>;

export function createUpgrade(dependencies: UpgradeDependencies): Upgrade {
  const { tunnels, createPermission, clientAddress, chooseHeaderRules: rulesFor, protect } = dependencies;
  return async function upgrade(exchange, tunnel, upstream, rewrite) {
    if (upstream.upgrade === null) return { code: 'upgrade_not_supported' };
    // The gateway is shutting down, and an upgraded connection would outlast that.
    if (tunnels.isDraining) return { code: 'shutting_down' };
    const callerId = exchange.credential?.quotaId ?? toNetwork(clientAddress(exchange.req));
    if (!tunnels.hasRoom(callerId)) return { code: 'too_many_connections' };
    // If the consumer has already disconnected, no event would report that the tunnel has closed.
    if (tunnel.socket.destroyed) return RESPONDED;
    const removeTunnel = tunnels.add(callerId, tunnel, createPermission(exchange));
    const request = rewrite();
    request.headers.push('Connection', 'Upgrade', 'Upgrade', 'websocket');
    const end = handOver(exchange, tunnel, removeTunnel);
    try {
      await upstream.upgrade(request, end);
    } catch (error) {
      // If the service has already responded, the connection can only be closed.
      if (exchange.rawStatus !== 0) tunnel.socket.destroy();
      else if (!tunnel.socket.destroyed) end.decline();
      else if (error instanceof UpstreamError) return RESPONDED;
      throw error;
    }
    return RESPONDED;
  };

  /** Passes the connection to the upstream. Until the upstream gives it back, `res` only records the outcome. */
  function handOver(exchange: Exchange, tunnel: Tunnel, removeTunnel: () => void): TunnelEnd {
    const { res, ownLifecycleNames: ownLifecycle } = exchange;
    const { socket, head } = tunnel;
    const endResponse = () => {
      res.destroy();
      res.emit('close');
    };
    let isDeclined = false;
    res.detachSocket(socket);
    socket.once('close', endResponse);
    const rules = rulesFor(exchange);
    tunnel.handOver(exchange.headers, { ...rules, reserved: rules.reserved.union(ownLifecycle) }, (status) => {
      exchange.rawStatus = status;
      socket.off('close', endResponse);
      endResponse();
    });
    const decline = () => {
      if (isDeclined) return res;
      isDeclined = true;
      socket.off('close', endResponse);
      removeTunnel();
      tunnel.takeBack();
      res.assignSocket(socket);
      protect(exchange);
      return res;
    };
    return { socket, head, decline };
  }
}
