import { createServer } from 'node:http';
export function createAdminServer(_: object) {
  const server = createServer((_req, res) => res.end('{}'));
  return {
    server,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
