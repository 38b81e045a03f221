import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { charge, listGatewayHeaders, VARY } from './floor.ts';
import { settings } from './settings.ts';

/**
 * Writes the bytes that the gateway writes with the pet store in process, and nothing more: the key is not looked at, and
 * nothing is logged or counted.
 */
const database = new DatabaseSync(process.env['PETS'] ?? '');
// The pet store opens its database in the same way.
database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
const select = database.prepare('SELECT id, name, category_id, status, stock FROM pets WHERE id = ?');
select.setReadBigInts(true);
select.setReturnArrays(true);

const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
  charge((usage) => {
    const id = BigInt(req.url!.slice('/pets/'.length));
    const [, name, categoryId, status] = select.get(id) as unknown as [bigint, string, bigint, string];
    const body = JSON.stringify({ id: Number(id), name, categoryId: Number(categoryId), status });
    const headers = listGatewayHeaders(usage);
    headers.push('Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body)), ...VARY);
    res.writeHead(200, headers).end(body);
  });
});
server.listen(settings.port, '127.0.0.1');
