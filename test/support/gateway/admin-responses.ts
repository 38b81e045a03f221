import { DOCUMENT_FILE, PREFIX } from '../../../src/control-plane/admin/resources/admin-document.ts';
import { responsesOf } from '../document-responses.ts';

export const { document, seen, check: checkAdminResponse } = responsesOf(DOCUMENT_FILE, PREFIX);
