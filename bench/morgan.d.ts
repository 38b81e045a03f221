/** As much of it as is used. */
declare module 'morgan' {
  import type { RequestHandler } from 'express';
  export default function morgan(format: 'combined'): RequestHandler;
}
