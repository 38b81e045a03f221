import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { buildConnector } from 'undici';

/** Connects WebSockets to a target as requests are: within the same time, with the same certificates. */
export function createTunnelAgent(url: URL, connect: buildConnector.connector): Agent {
  const { protocol, host, port } = url;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const agent = protocol === 'https:' ? new TlsAgent() : new Agent();
  // Nothing is returned, so that Node waits for the connection, and a request without one has sent nothing.
  agent.createConnection = (_options, done) => {
    connect({ protocol, host, hostname, port }, (error, socket) => done?.(error, socket as never));
    return undefined;
  };
  return agent;
}
