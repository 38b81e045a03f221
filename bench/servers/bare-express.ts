import express from 'express';
import { settings } from './settings.ts';

const app = express();
app.get('/pets/:petId', (_req, res) => {
  res.json(settings.pet);
});
app.listen(settings.port, '127.0.0.1');
