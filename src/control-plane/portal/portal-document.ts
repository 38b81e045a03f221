import { join } from 'node:path';

export const DOCUMENT_FILE = join(import.meta.dirname, 'openapi/portal.openapi.yaml');
export const API_PATH_PREFIX = '/api';
