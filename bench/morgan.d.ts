/** Types for the part of morgan that is used. */
declare module 'morgan' {
  import type { RequestHandler } from 'express';
  export default function morgan(format: 'combined'): RequestHandler;
}
