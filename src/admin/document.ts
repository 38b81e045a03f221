import { join } from 'node:path';

export const DOCUMENT_FILE = join(import.meta.dirname, 'admin.openapi.yaml');
export const PREFIX = '/v1';
