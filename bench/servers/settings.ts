/** Settings that the bench passes to its own servers. */
export const settings = {
  port: Number(process.env['PORT']),
  upstream: process.env['UPSTREAM'] ?? '',
  redisPort: Number(process.env['REDIS_PORT']),
  limits: { minute: Number(process.env['MINUTE_LIMIT']), day: Number(process.env['DAY_LIMIT']) },
  /** The owner of each key, for contenders without a registry. */
  consumers: new Map([[process.env['API_KEY'] ?? '', 'acme']]),
  pet: { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
};
