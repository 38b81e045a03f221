import { DOCUMENT_FILE, PREFIX } from '../../../src/admin/document.ts';
import { responsesOf } from '../document-responses.ts';

export const { document, seen, check: checkAdminResponse } = responsesOf(DOCUMENT_FILE, PREFIX);
