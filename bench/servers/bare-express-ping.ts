import express from 'express';
import { Redis } from 'ioredis';
import { settings } from './settings.ts';

const redis = new Redis({ port: settings.redisPort });
const app = express();
app.get('/pets/:petId', async (_req, res) => {
  await redis.ping();
  res.json(settings.pet);
});
app.listen(settings.port, '127.0.0.1');
